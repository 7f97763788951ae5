import { exec } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, test } from 'vitest'
import { startExampleApp } from '../audit/example-app.js'
import { seededFaults } from '../audit/seeded-faults.js'
import { cleanEnvironment, ROOT } from '../harness/command-line.js'

/** Faults of different kinds: a webhook, a refresh, a sign-in. */
const faults = ['webhook.reserialised', 'api.rotation-kept', 'signin.state-missing']

interface Answer {
  failure?: string
  check?: string | { id: string }
  docs?: string
  lesson?: string
  passed?: boolean
  failed?: { id: string; docs: string }[]
  new_findings?: { rule: string; docs: string }[]
  findings?: { rule: string }[]
  steps?: { step: string; response?: { status: number } }[]
}

/** Replaces the wrong lines of a lesson by its right ones, in the app's folder. @returns the right lines. */
async function mend(lesson: string, source: string): Promise<string[]> {
  const [, file = '', diff = ''] = /```diff\n# (.*)\n([\s\S]*?)\n```/.exec(lesson) ?? []
  const marked = (mark: string) =>
    diff.split('\n').flatMap((line) => (line.startsWith(mark) ? [line.slice(2).trim()] : []))
  const [wrong, right] = [marked('-'), marked('+')]
  const path = join(source, file)
  const lines = (await readFile(path, 'utf8')).split('\n')
  const at = lines.findIndex((line) => line.trim() === wrong[0])
  expect(
    lines.slice(at, at + wrong.length).map((line) => line.trim()),
    file,
  ).toEqual(wrong)
  await writeFile(path, lines.toSpliced(at, wrong.length, ...right).join('\n'))
  return right
}

test('an agent gets from a broken app to the mended lines by tool calls alone', async () => {
  const patches = faults.flatMap((id) => seededFaults.find(({ check }) => check === id)?.patches ?? [])
  await using app = await startExampleApp(patches)
  const client = new Client({ name: 'test', version: '1.0.0' })
  const ask = async (name: string, args: Record<string, unknown> = {}): Promise<Answer> => {
    const { content, isError } = await client.callTool({ name, arguments: args }, { timeout: 120_000 })
    const [part] = content as [{ type: string; text: string }]
    expect(isError, part.text).toBeFalsy()
    return JSON.parse(part.text)
  }
  const audit = (only: string[]) => ask('audit', { only, timeout: '100s' })
  try {
    const { data: _, restart, ...file } = app.file
    await writeFile(join(app.folder, 'mockademy.audit.json'), JSON.stringify(file))
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [join(ROOT, 'bin/mockademy.js'), 'mcp', '--url', app.emulator.url],
        env: cleanEnvironment(app.folder) as Record<string, string>,
        cwd: app.folder,
      }),
    )
    const lessons: string[] = []
    const learn = async (id: string) => {
      const { lesson = '' } = await ask('explain', { what: id })
      expect(lesson).toContain(`<a id="${id}"></a>`)
      lessons.push(lesson)
    }

    // The webhook verifies what it has parsed, so it accepts a body that was not signed.
    const forged = await ask('try', {
      fault: { match: { surface: 'webhook' }, effect: 'reserialised', times: 1 },
      steps: [{ install: { app: 'notes', organization: 'acme' } }],
    })
    expect(forged.new_findings).toMatchObject([{ rule: 'unverified_signature' }])
    const webhook = await ask('last_failure', { surface: 'webhook' })
    expect(webhook.findings).toMatchObject([{ rule: 'unverified_signature' }])
    const signatures = await audit([
      String(webhook.check),
      'webhook.unsigned',
      'webhook.altered',
      'webhook.reserialised',
    ])
    expect(signatures.failed?.map(({ id }) => id)).toEqual(['webhook.reserialised'])
    const known = { ...file, accept: { 'webhook.reserialised': 'known' } }
    await writeFile(join(app.folder, 'known.audit.json'), JSON.stringify(known))
    expect(await ask('audit', { file: 'known.audit.json', only: ['webhook.reserialised'] })).toMatchObject({
      passed: true,
      failed: [],
      accepted: ['webhook.reserialised'],
    })
    await learn('webhook.reserialised')

    // The refresh keeps the old refresh token, so the second one fails.
    const useLater = [{ expire: { app: 'notes' } }, { visit: { url: `${app.url}/organizations/initech/courses` } }]
    const statusesOf = ({ steps = [] }: Answer) => steps.flatMap(({ response }) => (response ? [response.status] : []))
    const install = { install: { app: 'notes', organization: 'initech' } }
    expect(statusesOf(await ask('try', { steps: [install, ...useLater] }))).toEqual([200])
    // Within two seconds it could be workers side by side: findings go by real time.
    await ask('call', { name: 'readInbox', arguments: { name: 'empty', wait: '2100ms' } })
    expect(statusesOf(await ask('try', { steps: useLater }))).not.toEqual([200])
    const refresh = await ask('last_failure', { surface: 'oauth' })
    expect(refresh.findings).toMatchObject([{ rule: 'refresh_reuse' }])
    expect(refresh.check).toBe('api.rotation-kept')
    expect(refresh.docs).toMatch(/\/docs\/checks\.md#api\.rotation-kept$/)
    await learn(String(refresh.check))

    // No request shows that a state is not checked: only an attack does.
    const states = await audit(['signin.state-*'])
    expect(states.failed?.map(({ id }) => id)).toEqual(['signin.state-missing'])
    await learn('signin.state-missing')

    const right: string[] = []
    for (const lesson of lessons) right.push(...(await mend(lesson, join(app.folder, 'app'))))
    expect(right).toEqual([
      expect.stringContaining('.update(body).digest()'),
      'const next = textOf(fresh.refresh_token) ?? refresh_token',
      'if (browser === undefined || state === undefined) return undefined',
    ])
    await promisify(exec)(String(restart))
    expect(await audit(faults)).toMatchObject({ passed: true, failed: [] })
  } finally {
    await client.close()
  }
})
