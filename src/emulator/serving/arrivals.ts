import type { Socket } from 'node:net'
import { setImmediate } from '../../foundation/time/real-timers.js'

/** Real milliseconds after a refusal in which a repetition of the request may come. control-api: "Findings" */
const WATCH_TIME = 60_000

/** Turns of the event loop that a response waits at most: with a new connection in each, no checkpoint comes. */
const MAX_TURNS = 50

/** The order of requests and responses. */
export type Arrivals = ReturnType<typeof createArrivals>

/** Order of a request among responses, as numbers of checkpoints. */
export interface ArrivalOrder {
  /** Checkpoints before it was received. The first request of a connection counts as received with the connection. */
  receivedAfter: number
  /**
   * Checkpoints that certainly preceded its sending: those before its connection was accepted, or before the last
   * response on it. A client that sends several requests at once over open connections may be interrupted between two of
   * them for longer than a response takes.
   */
  sentAfter: number
  connection: Connection
}

interface Connection {
  /** Its TCP socket. Over TLS, requests have another socket object. */
  socket: Socket
  sentAfter: number
}

/** A response that waits. It needs the end of a turn that has begun after it. */
interface Waiting {
  release(checkpoints: number): void
  turns: number
}

/**
 * Orders requests and responses by checkpoints. A checkpoint is the end of an event-loop turn in which no connection was
 * accepted: everything that clients had sent by then has been read. (Each turn reads all connections, but accepts only
 * one that is waiting.) While a repetition is possible, a response waits for the next checkpoint, a fraction of a
 * millisecond, so a request that is read later was sent later, however busy the machine is. Timestamps cannot show this:
 * a busy loop reads requests one after another that were sent at the same time.
 */
export function createArrivals() {
  let checkpoints = 0
  /** True once a connection was made in this turn. */
  let hasConnected = false
  let watchedUntil = 0
  let waiting: Waiting[] = []
  /** Connections without a request yet, by the client's address, which is the same for both socket objects of TLS. */
  const unused = new Map<string, Connection>()
  const used = new WeakMap<Socket, Connection>()

  // An immediate runs at the end of a turn.
  const endTurn = () => {
    const isCheckpoint = !hasConnected
    hasConnected = false
    if (isCheckpoint) checkpoints++
    const remaining: Waiting[] = []
    for (const response of waiting) {
      response.turns++
      if (isCheckpoint && response.turns > 1) response.release(checkpoints - 1)
      else if (response.turns > MAX_TURNS) response.release(checkpoints)
      else remaining.push(response)
    }
    waiting = remaining
    if (waiting.length > 0) setImmediate(endTurn)
  }

  return {
    onConnection(socket: Socket) {
      hasConnected = true
      const address = addressOf(socket)
      unused.set(address, { socket, sentAfter: checkpoints })
      socket.once('close', () => unused.delete(address))
    },
    /** Takes note of a request, before anything waits. */
    onRequest(socket: Socket): ArrivalOrder {
      const known = used.get(socket)
      if (known) return { receivedAfter: checkpoints, sentAfter: known.sentAfter, connection: known }
      const address = addressOf(socket)
      const connection = unused.get(address) ?? { socket, sentAfter: checkpoints }
      unused.delete(address)
      used.set(socket, connection)
      const { sentAfter } = connection
      return { receivedAfter: sentAfter, sentAfter, connection }
    },
    /**
     * Resolves when a response may be sent.
     * @param request the order of the request; undefined for one without a connection.
     * @param now real milliseconds.
     * @returns the checkpoints before it: a request that was sent later was received after more of them.
     */
    beforeResponse(status: number, request: ArrivalOrder | undefined, now: number): number | Promise<number> {
      // Requests that follow no refusal are not compared with anything.
      if (status >= 400) watchedUntil = now + WATCH_TIME
      if (now >= watchedUntil) return checkpoints
      return new Promise((resolve) => {
        const release = (at: number) => {
          if (request) request.connection.sentAfter = at + 1
          resolve(at)
        }
        waiting.push({ release, turns: 0 })
        if (waiting.length === 1) setImmediate(endTurn)
      })
    },
  }
}

const addressOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
