import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { test } from '../harness/command-line.js'

test.for([
  ['SIGINT', 'pull', 'mockademy: interrupted; nothing was read\n'],
  ['SIGINT', 'compare', 'mockademy: interrupted\n'],
  ['SIGTERM', 'pull', 'mockademy: interrupted; nothing was read\n'],
  ['SIGHUP', 'pull', 'mockademy: interrupted; nothing was read\n'],
] as const)('%s ends %s with 130 and a word', async ([signal, command, said], { launch }) => {
  // A platform that does not answer.
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { child, ended } = launch([command, '--from', `http://127.0.0.1:${port}`, '--api-key', 'key_acme'])
  await once(server, 'request')
  child.kill(signal)
  expect(await ended).toEqual({ status: 130, signal: null, stdout: '', stderr: said })
  server.closeAllConnections()
  server.close()
})

test('generate leaves no draft when its terminal is closed', async ({ folder, launch }) => {
  const { child, ended } = launch(['generate', '--elements', '1000000', '--out', 'big.json'])
  await expect.poll(() => readdir(folder)).toEqual([expect.stringMatching(/^\.big\.json\.\d+$/)])
  child.stderr?.destroy()
  child.kill('SIGHUP')
  expect(await ended).toMatchObject({ status: 130, signal: null })
  expect(await readdir(folder)).toEqual([])
})
