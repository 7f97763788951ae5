import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Admin, Emulator } from 'mockademy'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runCommandLine } from '../../src/programs/cli/command-line.js'
import { type ExampleApp, startExampleApp } from '../audit/example-app.js'
import { createBrowser } from '../harness/cookie-jar.js'
import { send } from '../harness/emulator-test.js'
import { formOf } from '../harness/sign-in-test.js'
import { temporaryFolder } from '../harness/temporary-folder.js'

type Coverage = Awaited<ReturnType<Admin['getCoverage']>>

let app: ExampleApp
let emulator: Emulator
const folder = temporaryFolder(afterAll)
beforeAll(async () => {
  app = await startExampleApp()
  emulator = app.emulator
})
afterAll(() => app.close())

const coverage = () => emulator.admin.getCoverage({ app: 'notes' })

function cellIn({ groups }: Coverage, [group, row, column]: string[]) {
  const rows = groups.find((each) => each.group === group)?.rows
  return rows?.find((each) => each.row === row)?.cells.find((each) => each.column === column)
}

const cellsIn = ({ groups }: Coverage) =>
  groups.flatMap(({ group, rows }) => rows.flatMap(({ row, cells }) => cells.map((cell) => ({ group, row, ...cell }))))

/** The words of a command, as a shell reads them. */
const wordsOf = (command: string) =>
  Array.from(command.matchAll(/(?:'[^']*'|\\'|"[^"]*"|[^\s'"])+/g), ([word]) =>
    word.replace(/'([^']*)'|\\(')|"([^"]*)"/g, (_, a = '', b = '', c = '') => a + b + c),
  )

/** Does what a shell does with a line, in this process. */
async function run(line: string): Promise<void> {
  for (const command of line.split(' && ')) {
    const mint = /tokens mint (\S+) (\S+)/.exec(command)
    if (mint) await requestAsApp(command, mint[1] as string, mint[2] as string)
    else if (command.startsWith('curl ')) await createBrowser().open(wordsOf(command).at(-1) as string)
    else await runCommand(command)
  }
}

async function requestAsApp(command: string, app: string, organization: string): Promise<void> {
  const { access_token } = await emulator.admin.mintTokens({ app, organization })
  const url = wordsOf(command).at(-1) as string
  const method = /-X (\S+)/.exec(command)?.[1] ?? 'GET'
  const page = { headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' } }
  await fetch(url, { method, ...page, ...(method === 'POST' && { body: '{}' }) }).catch(() => undefined)
}

async function runCommand(command: string): Promise<void> {
  const [, input, piped] = /^printf %s (.*) \| (mockademy .*)$/s.exec(command) ?? []
  const words = wordsOf(piped ?? command)
  expect(words.shift()).toBe('mockademy')
  if (input !== undefined) {
    const file = join(folder, 'input.json')
    writeFileSync(file, wordsOf(input)[0] as string)
    words[words.indexOf('-')] = file
  }
  const output = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockReturnValue(true))
  const status = await runCommandLine(words)
  const said = output.flatMap(({ mock }) => mock.calls.map(([text]) => String(text))).join('')
  for (const spy of output) spy.mockRestore()
  expect(status, `${command}: ${said}`).toBe(0)
}

let made = 0

/** Leaves the app installed nowhere, and nothing that was set. */
async function leave(): Promise<void> {
  const { admin } = emulator
  await admin.clearFaults()
  await admin.clearLiberties()
  await admin.clearSilentAuth()
  await admin.endSessions()
  for (const { id, state } of await admin.listInstallations({ app: 'notes' }))
    if (state === 'installed') await admin.uninstall(id)
}

/** Installs the app in an organization of its own, the only one that has it. */
async function begin(): Promise<string> {
  const { admin } = emulator
  await leave()
  const slug = `own-${++made}`
  await admin.addFixtures({
    settings: { page_size: 50, rate_limit: 1_000_000 },
    organizations: [
      {
        slug,
        name: slug,
        members: [{ user: 'ada', role: 'owner' }],
        courses: ['a', 'b', 'c', 'd'].map((course) => ({
          id: `${slug}-${course}`,
          name: course,
          modules: [{ name: 'm', elements: [{ id: `${slug}-${course}-e`, type: 'CONTENT', name: 'e' }] }],
        })),
      },
    ],
  })
  await admin.install({ app: 'notes', organization: slug })
  return slug
}

/** The app does what it can for an organization, each request twice at once. */
const useApi = (slug: string, ...paths: string[]) =>
  Promise.all([...paths, ...paths].map((path) => fetch(`${app.url}/organizations/${slug}/${path}`)))

/** The pages of the app that make it call an operation. */
const pagesOf: Record<string, (slug: string) => string> = {
  'GET /v0/courses': () => 'courses',
  'GET /v0/elements': () => 'elements',
  'GET /v0/elements/{id}': (slug) => `elements/${slug}-a-e`,
}

/** The operations that the example app does not call are called as it would, to the last page. */
async function callAsApp(slug: string, row: string): Promise<void> {
  const [method, path = ''] = row.split(' ')
  const { access_token } = await emulator.admin.mintTokens({ app: 'notes', organization: slug })
  const target = path.replace('{id}', path.includes('courses') ? `${slug}-a` : `${slug}-a-e`)
  const body = method === 'POST' ? { body: {} } : {}
  for (let page = ''; ; ) {
    const url = `${emulator.url}${target}${page && `?page=${encodeURIComponent(page)}`}`
    const answer = await send(url, { as: access_token, injected: true, ...body }).catch(() => undefined)
    page = answer?.body?.payload?.next ?? ''
    if (page === '') return
  }
}

/** A person signs in at the app, and answers what the platform asks. */
async function signIn(start: string, decision: 'allow' | 'deny'): Promise<void> {
  const browser = createBrowser()
  const page = await browser.open(app.url + start)
  if (!page.text.includes('name="decision"')) return
  const { action, fields } = formOf(page.text)
  await browser.submit(new URL(action, page.url), { ...fields, decision })
}

/** Uses the app as each group's gaps require. */
const drives: Record<string, (slug: string, row: string, column: string) => Promise<unknown>> = {
  api: (slug, row, column) => {
    const page = pagesOf[row]?.(slug)
    // The example app reads the first page of courses alone.
    const isOwn = page !== undefined && !(page === 'courses' && column === 'all-pages')
    return isOwn ? useApi(slug, page) : callAsApp(slug, row)
  },
  tokens: (slug) => useApi(slug, 'courses'),
  webhooks: async () => undefined,
  life: async () => undefined,
  'sign-in': async (slug, row, column) => {
    const isAsked = row === 'sign-in' && ['done', 'denied', 'session-ended'].includes(column)
    if (isAsked) return signIn('/login', column === 'denied' ? 'deny' : 'allow')
    const places = await emulator.admin.listInstallations({ app: 'notes', state: 'installed' })
    const slugs = column === 'other-organization' ? places.map(({ organization }) => organization) : [slug]
    for (const each of slugs) await signIn(`/setup?organization=${each}`, 'allow')
  },
  shapes: async (slug) => {
    await useApi(slug, 'courses', 'elements', 'elements/none', 'members')
    await callAsApp(slug, 'GET /v0/courses')
    // The app has kept it for an hour.
    await fetch(`${emulator.url}/.well-known/openid-configuration`)
    await emulator.admin.expireTokens({ app: 'notes' })
    await useApi(slug, 'courses')
    await emulator.admin.setAmbientUser('ada')
    await signIn(`/setup?organization=${slug}`, 'allow')
  },
}

describe('the line of every gap closes it, run against the example app', () => {
  test.for(Object.keys(drives))('of the group %s', async (group) => {
    const cells = cellsIn(await coverage()).filter((cell) => cell.group === group)
    expect(cells.length).toBeGreaterThan(0)
    for (const { row, column } of cells) {
      const place = [group, row, column]
      const slug = await begin()
      // A sign-in comes before what is told by the next one.
      if (group === 'sign-in') {
        await emulator.admin.setAmbientUser('ada')
        await signIn(`/setup?organization=${slug}`, 'allow')
        if (['done', 'denied'].includes(column)) await emulator.admin.endSessions()
      }
      await emulator.admin.clearRequests()
      const before = cellIn(await coverage(), place)
      expect(before?.met, place.join(' ')).toBe(false)
      const line = before?.closes as string
      await run(line)
      await drives[group]?.(slug, row, column)
      expect.soft(cellIn(await coverage(), place), line).toMatchObject({ met: true, closes: null })
    }
  })
})

test('so does the line of a gap where the app is installed nowhere, and no other organization or one is there', async () => {
  const { admin } = emulator
  const places = [
    ...['install', 'upgrade', 'reinstall'].map((row) => ['life', row, 'webhook-failed'] as const),
    ['tokens', 'refresh', 'after-upgrade'] as const,
    ['sign-in', 'sign-in', 'other-organization'] as const,
  ]
  for (const hasUnused of [false, true]) {
    for (const [group, row, column] of places) {
      await leave()
      for (const { slug } of await admin.listOrganizations()) {
        await admin.install({ app: 'notes', organization: slug, announce: false })
      }
      await leave()
      // A retry of the place before must not use up the fault of this line.
      await admin.advanceClock('2m')
      const members = [{ user: 'ada', role: 'owner' as const }]
      const slug = `own-${++made}`
      if (hasUnused) await admin.addFixtures({ organizations: [{ slug, name: slug, members }] })
      await admin.clearRequests()
      const line = cellIn(await coverage(), [group, row, column])?.closes as string
      await run(line)
      const [installed] = await admin.listInstallations({ app: 'notes', state: 'installed' })
      // An app that has acknowledged the install may still be storing its tokens at its first use.
      const use = async () => {
        await drives[group]?.(installed?.organization ?? '', row, column)
        return cellIn(await coverage(), [group, row, column])
      }
      await expect.poll(use, { message: line }).toMatchObject({ met: true })
    }
  }
})

test('a shell reads every line', async () => {
  await begin()
  await emulator.admin.clearRequests()
  const lines = cellsIn(await coverage()).map(({ closes }) => closes as string)
  expect(lines.length).toBeGreaterThan(100)
  const { status, stderr } = spawnSync('sh', ['-n'], { input: lines.join('\n'), encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
})
