import type { Socket } from 'node:net'
import { setImmediate } from '../../foundation/time/real-timers.js'

/** Real milliseconds after a refusal in which a repetition of the request may come. control-api: "Findings" */
const WATCHED = 60_000

/** Turns of the event loop that a response waits at most: with a new connection in each, no moment comes. */
const PATIENCE = 50

/**
 * Orders requests and responses by moments at which everything has been read that clients had sent: ends of turns of the
 * event loop in which no connection was made. (In each turn, every connection is read, but only one of those that wait is
 * accepted.) A response that a repetition is measured against waits for such a moment, which takes a fraction of a
 * millisecond, so that every request that is read later was sent after it: the same each time, however busy the machine
 * is. Times do not show this: a busy loop reads requests one after another that were sent side by side.
 */
export interface Arrivals {
  /** Takes note of a connection. */
  onConnection(socket: Socket): void
  /** Takes note of a request, before anything waits. */
  onRequest(socket: Socket): Beginning
  /**
   * Resolves when a response may be sent.
   * @param request the beginning of the request; undefined for one without a connection.
   * @param now real milliseconds.
   * @returns the moments before it: a request that was sent later began after more of them.
   */
  beforeResponse(status: number, request: Beginning | undefined, now: number): number | Promise<number>
}

/** Bounds of the moment at which a client sent a request. */
export interface Beginning {
  /** The moments before it came. The first request of a connection came with the connection. */
  began: number
  /**
   * The moments before its connection was made, or before the last response over it was read: it was sent after these,
   * whatever else its client had yet to read. A client that sends several requests at once, over connections that it has
   * kept, may be interrupted between two of them for longer than a response takes.
   */
  free: number
  connection: Connection
}

/** A client's connection. */
interface Connection {
  free: number
}

/** A response that waits. It needs the end of a turn that has begun after it. */
interface Waiting {
  release(moments: number): void
  turns: number
}

export function createArrivals(): Arrivals {
  let moments = 0
  /** True once a connection was made in this turn. */
  let hasConnected = false
  let watchedUntil = 0
  let waiting: Waiting[] = []
  /** Connections without a request yet, by the client's address: over TLS, a request has another socket object. */
  const unused = new Map<string, Connection>()
  const used = new WeakMap<Socket, Connection>()

  // An immediate runs at the end of a turn.
  const endTurn = () => {
    const isMoment = !hasConnected
    hasConnected = false
    if (isMoment) moments++
    const remaining: Waiting[] = []
    for (const response of waiting) {
      response.turns++
      if (isMoment && response.turns > 1) response.release(moments - 1)
      else if (response.turns > PATIENCE) response.release(moments)
      else remaining.push(response)
    }
    waiting = remaining
    if (waiting.length > 0) setImmediate(endTurn)
  }

  return {
    onConnection(socket) {
      hasConnected = true
      const address = addressOf(socket)
      unused.set(address, { free: moments })
      socket.once('close', () => unused.delete(address))
    },
    onRequest(socket) {
      const known = used.get(socket)
      if (known) return { began: moments, free: known.free, connection: known }
      const address = addressOf(socket)
      const connection = unused.get(address) ?? { free: moments }
      unused.delete(address)
      used.set(socket, connection)
      return { began: connection.free, free: connection.free, connection }
    },
    beforeResponse(status, request, now) {
      // Requests that follow no refusal are not compared with anything.
      if (status >= 400) watchedUntil = now + WATCHED
      if (now >= watchedUntil) return moments
      return new Promise((resolve) => {
        const release = (at: number) => {
          if (request) request.connection.free = at + 1
          resolve(at)
        }
        waiting.push({ release, turns: 0 })
        if (waiting.length === 1) setImmediate(endTurn)
      })
    },
  }
}

const addressOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
