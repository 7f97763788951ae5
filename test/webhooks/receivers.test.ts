import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { freePort } from '../harness/free-port.js'
import { signatureOf } from '../harness/receiver.js'
import { temporaryFolder } from '../harness/temporary-folder.js'

const folder = join(import.meta.dirname, 'receivers')
const secret = 'a signing secret of a test'

/** Programs that docs/webhooks.md shows: their command, and what must succeed where they can run. */
const receivers: Record<string, { command: string[]; needs?: string[]; build?: (into: string) => string[] }> = {
  express: { command: ['node', 'express.js'] },
  fastify: { command: ['node', 'fastify.js'] },
  hono: { command: ['node', 'hono.js'] },
  'next.js': { command: ['node', 'next-server.js'] },
  flask: { command: ['/usr/bin/python3', 'flask_app.py'], needs: ['/usr/bin/python3', '-c', 'import flask'] },
  django: { command: ['/usr/bin/python3', 'django_app.py'], needs: ['/usr/bin/python3', '-c', 'import django'] },
  go: {
    command: [],
    needs: ['go', 'version'],
    build: (into) => ['go', 'build', '-o', into, join(folder, 'go', 'main.go')],
  },
  rails: { command: ['ruby', 'rails/server.rb'], needs: ['ruby', '-e', 'require "action_controller/railtie"'] },
}

const runs = ([command = '', ...args]: string[]) => spawnSync(command, args, { env: process.env }).status === 0

/** Resolves once something listens, or rejects when the program has ended. */
async function listening(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the receiver has ended with status ${child.exitCode}`)
    const socket = connect(port, 'localhost')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    await wait(20)
  }
}

describe.concurrent.for(Object.entries(receivers))('the receiver of docs/webhooks.md for %s', ([, receiver]) => {
  const { needs, build } = receiver
  test.skipIf(needs && !runs(needs))('accepts what is genuine, and nothing else', async ({ onTestFinished }) => {
    const made = temporaryFolder(onTestFinished)
    const built = build?.(join(made, 'receiver'))
    if (built) expect(runs(built)).toBe(true)
    const port = await freePort()
    const [command = '', ...args] = built ? [join(made, 'receiver')] : receiver.command
    const env = { ...process.env, PORT: String(port), PLATFORM_SIGNING_SECRET: secret }
    const child = spawn(command, args, { cwd: folder, env, stdio: 'ignore' })
    onTestFinished(() => void child.kill())
    await listening(port, child)
    const post = async (body: string, signature?: string) => {
      const headers = { 'content-type': 'application/json', ...(signature && { 'platform-signature': signature }) }
      return (await fetch(`http://localhost:${port}/webhook`, { method: 'POST', headers, body })).status
    }
    const sign = (body: string, key = secret) => signatureOf(body, key)
    const body = JSON.stringify({ id: 'evt_1', type: 'app.installed', data: { name: 'Ünïcode' } })
    const spaced = `{ "type": "app.installed",\n\t"id" : "evt_2", "data": { "name": "\\u00dc" } }\n`

    expect(await post(body, sign(body))).toBe(200)
    expect(await post(spaced, sign(spaced))).toBe(200)
    expect(await post(body)).toBe(401)
    expect(await post(body, sign(body, 'another'))).toBe(401)
    expect(await post(`${body} `, sign(body))).toBe(401)
    expect(await post(body, sign(body).slice(0, 8))).toBe(401)
    expect(await post(body, 'not hexadecimal')).toBe(401)
    expect(await post(body, sign(body))).toBe(200)
  })
})
