import { connect as connectSocket } from 'node:net'

/** Requests in a row on one connection, without waiting for the answers: as many as possible in little time. */
export function flood(url: string, count: number): Promise<void> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connectSocket(Number(port), hostname)
    let answered = 0
    let sent = 0
    const send = () => {
      const batch = Math.min(200, count - sent)
      sent += batch
      socket.write(`GET /v0/none HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`.repeat(batch))
    }
    socket.on('data', (bytes) => {
      answered += bytes.toString('latin1').split('HTTP/1.1 ').length - 1
      if (answered >= count) socket.end(resolve)
      else if (answered >= sent) send()
    })
    socket.on('error', reject)
    socket.on('connect', send)
  })
}
