import type { Socket } from 'node:net'

/** The connections that a scenario has to this very emulator, by their ports on this machine. */
export class OwnConnections {
  readonly #ports = new Set<number>()
  /** A scenario has the world to itself. */
  busy = false

  /** From when it is connected, so before a byte is sent, until it is closed. */
  readonly add = (socket: Socket): void => {
    const port = socket.localPort as number
    this.#ports.add(port)
    socket.once('close', () => this.#ports.delete(port))
  }

  has(client: string, port: number | undefined): boolean {
    return this.#ports.size > 0 && port !== undefined && this.#ports.has(port) && loopback.includes(client)
  }
}

const loopback = ['127.0.0.1', '::1', '::ffff:127.0.0.1']
