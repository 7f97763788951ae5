import { connect } from 'node:net'
import { plainHost } from './targets.js'

/** Returns true when the host of an http or https address accepts a connection. @param timeout real milliseconds. */
export const isListening = (url: string, timeout: number): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port, protocol } = new URL(url)
    const host = plainHost(hostname)
    const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80), timeout })
    for (const event of ['connect', 'error', 'timeout']) {
      socket.once(event, () => {
        socket.destroy()
        resolve(event === 'connect')
      })
    }
  })
