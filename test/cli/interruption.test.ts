import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { test } from '../harness/command-line.js'

test.for([
  ['pull', 'mockademy: interrupted; nothing was read\n'],
  ['compare', 'mockademy: interrupted\n'],
] as const)('Ctrl+C ends %s with 130 and a word', async ([command, said], { launch }) => {
  // A platform that does not answer.
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { child, ended } = launch([command, '--from', `http://127.0.0.1:${port}`, '--api-key', 'key_acme'])
  await once(server, 'request')
  child.kill('SIGINT')
  expect(await ended).toEqual({ status: 130, signal: null, stdout: '', stderr: said })
  server.closeAllConnections()
  server.close()
})
