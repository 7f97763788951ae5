import type { Socket } from 'node:net'

/** Real milliseconds after a refusal in which a repetition of the request may come. control-api: "Findings" */
const WATCHED = 60_000

type Message = { socket: Socket }

/**
 * Orders requests and responses by moments at which everything has been read that clients had sent: ends of turns of the
 * event loop in which no connection was made. (In each turn, every connection is read, but only one of those that wait is
 * accepted.) A request that begins after such a moment was sent after every response before it. Times do not show this:
 * a busy loop reads requests one after another that were sent side by side.
 */
export interface Arrivals {
  /** Takes note of a connection. */
  onConnection(socket: Socket): void
  /** Takes note of a request, before anything waits. */
  onRequest(message: Message): void
  /** Returns the moments before a request. The first one of a connection began with the connection. */
  beganAt(message: Message): number
  /**
   * Takes note of a response that is sent `now`, in real milliseconds.
   * @returns the moments before it: a request that was sent later began after more of them.
   */
  onResponse(status: number | null, now: number): number
}

export function createArrivals(): Arrivals {
  let moments = 0
  /** True once a connection was made in this turn. */
  let hasConnected = false
  let watchedUntil = 0
  /** The moment to watch for. */
  let awaited = 0
  /** True when this turn may end in a moment. */
  let isCounting = false
  /** Connections without a request yet, by the client's address: over TLS, a request has another socket object. */
  const unused = new Map<string, number>()
  const began = new WeakMap<Message, number>()

  // An immediate runs at the end of a turn.
  const watch = () => {
    if (!hasConnected) moments++
    hasConnected = false
    isCounting = moments < awaited
    if (isCounting) setImmediate(watch)
  }
  const beginToWatch = () => {
    hasConnected = false
    isCounting = true
    setImmediate(watch)
  }

  return {
    onConnection(socket) {
      hasConnected = true
      const address = addressOf(socket)
      unused.set(address, moments)
      socket.once('close', () => unused.delete(address))
    },
    onRequest(message) {
      const address = addressOf(message.socket)
      began.set(message, unused.get(address) ?? moments)
      unused.delete(address)
    },
    beganAt: (message) => began.get(message) ?? moments,
    onResponse(status, now) {
      // What follows no refusal is measured against nothing, and costs nothing.
      if (status === null || status >= 400) watchedUntil = now + WATCHED
      if (now >= watchedUntil) return moments
      const isWatching = moments < awaited
      // The end of this turn shows nothing of what came after its reading.
      const before = isCounting && !hasConnected ? moments + 1 : moments
      awaited = before + 1
      if (!isWatching) setImmediate(beginToWatch)
      return before
    },
  }
}

const addressOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
