import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test as auditTest } from '../audit/small-app.js'
import { oneProcessTest as base, type Ended } from '../harness/command-line.js'
import { send } from '../harness/emulator-test.js'

/** Hostile input: a line break, terminal control sequences, and workflow commands of CI runners. */
const HOSTILE = 'x\n::error::injected\r\u001b[2J\u009b2J\u202e##[error]x'
const SHOWN = String.raw`x\n::error::injected\r\u001b[2J\u009b2J\u202e#\u0023[error]x`

/** Matches text that a terminal or a CI runner would interpret. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
const ACTING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]|^\s*::|##\w*\[/m

function expectShown({ stdout, stderr }: Pick<Ended, 'stdout' | 'stderr'>): void {
  expect(stdout + stderr).toContain(SHOWN)
  expect(stdout).not.toMatch(ACTING)
  expect(stderr).not.toMatch(ACTING)
}

const FIXTURES = {
  users: [{ id: 'ada', email: 'ada@acme.test' }],
  organizations: [
    {
      slug: 'acme',
      name: HOSTILE,
      api_key: 'key_acme',
      members: [{ user: 'ada', role: 'owner' }],
      courses: [{ id: 'course', name: 'Course', modules: [{ id: 'module', name: 'Module' }] }],
    },
  ],
  apps: [
    {
      client_id: 'app_notes',
      manifest: {
        id: 'notes',
        name: HOSTILE,
        version: '1.0.0',
        permissions: ['elements:read'],
      },
    },
  ],
}

const test = base.extend<{ world: { url: string; stdout: () => string } }>({
  world: async ({ folder, start }, use) => {
    await writeFile(join(folder, 'hostile.json'), JSON.stringify(FIXTURES))
    await use(await start(['--port', '0', '--store', 'memory', '--fixtures', 'hostile.json', '--log']))
  },
})

describe('control characters of files, apps and the wire are shown on a terminal and never sent', () => {
  test('by the banner and the log of start', async ({ world }) => {
    await send(`${world.url}/v0/courses/${encodeURIComponent(HOSTILE)}`, { as: 'key_acme' })
    await expect.poll(world.stdout).toContain('404')
    expectShown({ stdout: world.stdout(), stderr: '' })
    expect(world.stdout().split(SHOWN).length).toBeGreaterThan(3)
  })

  test.for([
    ['a list', ['organizations', 'list']],
    ['fields of one thing', ['snapshot', HOSTILE]],
    ['requests', ['requests']],
    ['findings', ['findings']],
    ['an error of the emulator', ['install', HOSTILE, 'acme']],
    ['an invalid body', ['state', 'add', 'keys.json']],
    ['invalid fixtures', ['validate', 'keys.json']],
    ['an argument that is wrong', ['start', '--fixtures', HOSTILE]],
    ['a scenario that fails', ['scenario', 'run', 'scenario.json']],
    ['a scenario that is not valid', ['scenario', 'run', 'invalid.json']],
  ] as const)('by %s: %o', async ([, args], { world, run, folder }) => {
    const files = {
      'keys.json': { [`::error::${HOSTILE}`]: 1 },
      'scenario.json': {
        title: HOSTILE,
        steps: [
          {
            title: HOSTILE,
            request: { path: `/v0/courses/${encodeURIComponent(HOSTILE)}`, as: 'acme' },
            expect: { status: 200 },
          },
        ],
      },
      'invalid.json': { steps: [{ [HOSTILE]: {} }] },
    }
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), JSON.stringify(content))
    await send(`${world.url}/v0/elements`, {
      as: 'key_acme',
      body: { module: 'module', name: 'New', type: 'CONTENT', [HOSTILE]: 1 },
    })
    await send(`${world.url}/v0/courses/${encodeURIComponent(HOSTILE)}`, { as: 'key_acme' })
    const isOffline = ['validate', 'start'].includes(args[0])
    expectShown(await run([...args, ...(isOffline ? [] : ['--url', world.url])]))
  })

  auditTest('by the audit, of what the app answers', async ({ app, run, folder }) => {
    app.behaves((isGenuine, response) => void response.writeHead(isGenuine ? 200 : 500).end(HOSTILE.slice(2)))
    await writeFile(join(folder, 'mockademy.audit.json'), '{ "app": "small" }')
    const args = ['audit', '--url', app.emulator.url, '--only', 'webhook.unsigned', '--markdown', 'audit.md']
    const { stdout, stderr } = await run(args)
    expect(stdout).toContain(String.raw`\u001b[2J\u009b2J`)
    expect(stdout + stderr).not.toMatch(ACTING)
    // A file is no terminal.
    expect(await readFile(join(folder, 'audit.md'), 'utf8')).toContain('injected')
  })

  test('JSON stays the JSON that it is', async ({ world, run }) => {
    const { stdout } = await run(['organizations', 'list', '--json', '--url', world.url])
    expect(stdout).not.toMatch(ACTING)
    expect(JSON.parse(stdout).data[0].name).toBe(HOSTILE)
  })
})
