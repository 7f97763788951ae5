import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type AuditReport, audit } from 'mockademy'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../harness/command-line.js'
import { createBrowser } from '../harness/cookie-jar.js'
import { isExploitable } from './apps/exploits.js'
import { seededFaults } from './apps/seeded-faults.js'
import { type App, missingFor, type StackName, stacks, startApp } from './apps/start-app.js'

const isWhole = process.env.MATRIX === 'whole'
/** Waits for half a minute of real time: `npm run test:matrix` has it. */
const slow = isWhole ? [] : ['signin.rotation']

/** Checks that sound apps fail because they cannot choose otherwise. docs/audit.md */
const falseFailures: Record<StackName, string[]> = {
  /** Authlib fetches keys for each unknown `kid`, and nothing holds it back. */
  flask: ['signin.unknown-keys'],
  go: [],
}

const names = Object.keys(stacks) as StackName[]

const describeVerdicts = ({ checks }: AuditReport) =>
  checks
    .filter(({ outcome }) => outcome !== 'pass')
    .map(({ id, outcome, message }) => `  ${outcome.padEnd(12)} ${id.padEnd(26)} ${message}`)

/** The apps that this machine can run, each with its audit. Audits wait for much, so they run side by side. */
const audited = new Map<StackName, { app: App; report: AuditReport }>()
beforeAll(async () => {
  await Promise.all(
    names
      .filter((name) => !missingFor(name))
      .map(async (name) => {
        const app = await startApp(name)
        audited.set(name, { app, report: await audit({ url: app.emulator.url, file: app.file, skip: slow }) })
      }),
  )
}, 900_000)
afterAll(() => Promise.all([...audited.values()].map(({ app }) => app.close())))

describe.for(names)('a sound app on %s', (name) => {
  test('fails no check but those that misjudge it', async ({ skip }) => {
    const { report } = audited.get(name) ?? skip(missingFor(name))
    console.log([`${name}: ${JSON.stringify(report.summary)}`, ...describeVerdicts(report)].join('\n'))
    const failed = report.checks.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn')
    expect(failed.filter(({ id }) => !falseFailures[name].includes(id))).toEqual([])
    const skipped = report.checks.filter(({ outcome }) => outcome === 'skip')
    expect(skipped.map(({ id }) => id)).toEqual(['signin.other-organization'])
    expect(report.checks.filter(({ outcome }) => outcome === 'inconclusive')).toEqual([])
  })

  test('passes with probes of people in place of the operator', async ({ skip }) => {
    const { app } = audited.get(name) ?? skip(missingFor(name))
    const declared = JSON.parse(await readFile(app.file, 'utf8'))
    const file = { ...declared, probe: { ...declared.probe, headers: {}, as: 'signed_in' } }
    const { checks } = await audit({ url: app.emulator.url, file, only: ['signin.other-organization'] })
    expect(checks).toMatchObject([{ outcome: 'pass' }])
  })

  test('lets people in to what is theirs, signs them out on the server and seals its tokens', async ({ skip }) => {
    const { app } = audited.get(name) ?? skip(missingFor(name))
    const { admin } = app.emulator
    const { credentials } = await admin.install({ app: 'notes', organization: 'acme' })
    await admin.setAmbientUser('ada')
    const browser = createBrowser()
    await expect
      .poll(async () => (await browser.open(`${app.url}/setup?organization=acme`)).text)
      .toContain('ready for Acme')
    const cookie = [...(browser.cookies.get('127.0.0.1') ?? [])].map((pair) => pair.join('=')).join('; ')
    const see = async (path: string) => (await fetch(app.url + path, { headers: { cookie } })).status
    const post = async (headers: Record<string, string>) =>
      (await fetch(`${app.url}/logout`, { method: 'POST', redirect: 'manual', headers: { cookie, ...headers } })).status
    expect(await see('/organizations/acme/courses')).toBe(200)
    expect(await see('/organizations/globex/courses')).toBe(404)
    expect(await post({ origin: 'https://elsewhere.test' })).toBe(403)
    expect(await see('/me')).toBe(200)
    expect(await post({ origin: app.url })).toBeLessThan(400)
    expect(await see('/me')).toBe(401)

    const files = await readdir(join(dirname(app.file), 'var'), { recursive: true, withFileTypes: true })
    for (const file of files.filter((each) => each.isFile())) {
      const text = await readFile(join(file.parentPath, file.name), 'latin1')
      expect(text).not.toContain(credentials?.access_token)
      expect(text).not.toContain(credentials?.refresh_token)
    }
  })
})

describe.for(names)('seeded faults of the app on %s', (name) => {
  const missing = missingFor(name)

  test('are changes of its source as it is', async () => {
    for (const { patches } of seededFaults) {
      for (const { file, find } of patches[name]) {
        const text = await readFile(join(ROOT, 'test/audit/apps', name, file), 'utf8')
        expect({ find, times: text.split(find).length - 1 }).toEqual({ find, times: 1 })
      }
    }
  })

  /** Minutes for all: `npm run test:matrix` has them. */
  test.runIf(isWhole).for(seededFaults)('$name: $what', { timeout: 900_000 }, async (fault, { skip }) => {
    if (missing) return skip(missing)
    const [faulty, sound] = [await startApp(name, fault.patches[name], fault.without), await startApp(name)]
    try {
      expect(await isExploitable(sound, fault.name)).toBe(false)
      expect(await isExploitable(faulty, fault.name)).toBe(true)
    } finally {
      await Promise.all([sound.close(), faulty.close()])
    }
    await using app = await startApp(name, fault.patches[name], fault.without)
    const report = await audit({ url: app.emulator.url, file: app.file, skip: ['signin.rotation'] })
    const failed = report.checks.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn')
    const found = failed.map(({ id }) => id).filter((id) => !falseFailures[name].includes(id))
    console.log(`${name} ${fault.name}: should fail ${fault.check}; fails ${found.join(', ') || 'nothing'}`)
    expect(found).toContain(fault.check)
  })
})
