import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

interface Address {
  /** A free one unless given. */
  port?: number
  host?: string
}

/** Has a server listen. @returns its address, and what closes it with its connections. */
export async function listen(server: Server, { port = 0, host = '127.0.0.1' }: Address = {}) {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket.on('close', () => sockets.delete(socket))))
  await once(server.listen(port, host), 'listening')
  const address = server.address() as AddressInfo
  return {
    port: address.port,
    url: `http://${host}:${address.port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** The same until the test is finished: `const { url } = await serve((request, response) => …)`. */
export async function serve(server: Server | RequestListener, address?: Address) {
  const served = await listen(typeof server === 'function' ? createServer(server) : server, address)
  onTestFinished(served.close)
  return served
}

/** Makes a shell command of a function of this process: the command ends when the function has. */
export async function commandOf(work: () => unknown) {
  const { url, close } = await listen(
    createServer(async (_, response) => {
      await work()
      response.end()
    }),
  )
  return { command: `"${process.execPath}" -e "http.get('${url}')"`, close }
}
