import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Returns a port on which nothing listens. Systems give ports from 32768 on (Linux) or 49152 on to connections and to
 * servers at port 0; this one is below them, so that it stays free until the test uses it.
 * @param count number of consecutive ports that must be free, of which the first is returned.
 */
export async function freePort(count = 1): Promise<number> {
  for (;;) {
    const first = randomInt(10_000, 32_768 - count)
    const ports = Array.from({ length: count }, (_, index) => first + index)
    const areFree = await Promise.all(ports.map(isFree))
    if (areFree.every(Boolean)) return first
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port)
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
