import type { Socket } from 'node:net'

/** The connections that a scenario has to this very emulator, by their addresses on this side. */
export class OwnConnections {
  readonly #addresses = new Set<string>()
  /** A scenario has the world to itself. */
  busy = false

  /** From when it is connected, so before a byte is sent, until it is closed. */
  readonly add = (socket: Socket): void => {
    const address = keyOf(socket.localAddress, socket.localPort)
    this.#addresses.add(address)
    socket.once('close', () => this.#addresses.delete(address))
  }

  /** @param client the address that a request came from. */
  has(client: string, port: number | undefined): boolean {
    return this.#addresses.size > 0 && this.#addresses.has(keyOf(client, port))
  }
}

/** A server that listens on IPv6 sees IPv4 addresses in its notation. */
const keyOf = (address = '', port = 0) => `${address.replace(/^::ffff:/, '')} ${port}`
