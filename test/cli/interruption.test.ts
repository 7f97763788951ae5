import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect } from 'vitest'
import { BIN, test } from '../harness/command-line.js'
import { serve } from '../harness/serve.js'

/** Starts a platform that does not answer. */
async function silentPlatform() {
  const server = createServer()
  const { url } = await serve(server)
  return { url, flags: ['--from', url, '--api-key', 'key_acme'], asked: once(server, 'request') }
}

test.for([
  ['SIGINT', 'pull', 'mockademy: interrupted; nothing was read\n'],
  ['SIGINT', 'compare', 'mockademy: interrupted\n'],
  ['SIGTERM', 'pull', 'mockademy: interrupted; nothing was read\n'],
  ['SIGHUP', 'pull', 'mockademy: interrupted; nothing was read\n'],
] as const)('%s ends %s with 130 and a word', async ([signal, command, said], { launch }) => {
  const platform = await silentPlatform()
  const { child, ended } = launch([command, ...platform.flags])
  await platform.asked
  child.kill(signal)
  expect(await ended).toEqual({ status: 130, signal: null, stdout: '', stderr: said })
})

test('a recording that an emulator does not begin can be given up', async ({ launch }) => {
  const silent = await silentPlatform()
  const { child, ended } = launch(['scenario', 'record', 'made.jsonc', '--url', silent.url])
  await silent.asked
  child.kill('SIGINT')
  expect(await ended).toEqual({ status: 130, signal: null, stdout: '', stderr: '' })
})

test('a command whose npx is gone ends as if it were interrupted', async ({ folder, launch }) => {
  const platform = await silentPlatform()
  const npx = join(folder, 'npx.mjs')
  const text =
    "import { spawn } from 'node:child_process'\nspawn(process.execPath, process.argv.slice(2), { stdio: 'inherit' })"
  await writeFile(npx, text)
  const { child, ended } = launch([BIN, 'compare', ...platform.flags], { script: npx, env: { npm_command: 'exec' } })
  await platform.asked
  child.kill('SIGKILL')
  expect(await ended).toEqual({ status: null, signal: 'SIGKILL', stdout: '', stderr: 'mockademy: interrupted\n' })
})

test('generate leaves no draft when its terminal is closed', async ({ folder, launch }) => {
  const { child, ended } = launch(['generate', '--elements', '1000000', '--out', 'big.json'])
  await expect.poll(() => readdir(folder)).toEqual([expect.stringMatching(/^\.big\.json\.\d+$/)])
  child.stderr?.destroy()
  child.kill('SIGHUP')
  expect(await ended).toMatchObject({ status: 130, signal: null })
  expect(await readdir(folder)).toEqual([])
})
