import { expect } from 'vitest'
import { createBrowser } from '../harness/cookie-jar.js'
import { test } from '../harness/notes-app.js'

const WORKERS = 8
/** `JOURNEY_REPETITIONS=50` for the long run. */
const REPETITIONS = Number(process.env.JOURNEY_REPETITIONS ?? 3)

test(`journeys of ${WORKERS} workers through one app do not meet`, { timeout: 240_000 + REPETITIONS * 10_000 }, async ({
  emulator,
  app,
}) => {
  const { admin, url } = emulator

  async function journey(name: string) {
    const sandbox = await admin.sandbox({ app: 'notes', people: { owner: { first_name: name }, learner: {} } })
    const { slug } = sandbox.organization
    await admin.mark(name, { kind: 'test', organization: slug })
    const browser = createBrowser()
    const { cookie } = sandbox.people.owner ?? { cookie: { name: '', value: '' } }
    browser.cookies.set(new URL(url).hostname, new Map([[cookie.name, cookie.value]]))
    const welcome = await browser.open(`${app.url}/setup?organization=${slug}`)
    expect(welcome.text).toContain(`Welcome, ${name} `)
    expect(JSON.parse((await browser.open(`${app.url}/me`)).text)).toMatchObject({ sub: sandbox.people.owner?.id })

    const read = async () => (await app.get(`/organizations/${slug}/courses`)).status
    expect(await read()).toBe(200)
    await sandbox.clock.advance('61m')
    expect(await read()).toBe(200)
    await sandbox.expireTokens()
    expect(await read()).toBe(200)
    await sandbox.fault({ match: { surface: 'api' }, effect: 'insufficient_scope', times: 1 })
    expect([await read(), await read()]).toEqual([403, 200])

    // The first one is the webhook of the installation, before the mark.
    const [installed, ...entries] = await sandbox.requests()
    expect(installed).toMatchObject({ surface: 'webhook', organization: slug })
    expect(entries.map(({ organization, mark }) => [organization, mark])).toEqual(entries.map(() => [slug, name]))
    const api = entries.filter(({ surface }) => surface === 'api').map(({ status }) => status)
    expect(api).toEqual([200, 401, 200, 401, 200, 403, 200])
    expect((await sandbox.deliveries()).map(({ state, organization }) => [state, organization])).toEqual([
      ['acknowledged', slug],
    ])
    expect(await sandbox.findings({ level: 'error' })).toEqual([])
    await sandbox.end()
  }

  const workers = Array.from({ length: WORKERS }, async (_, worker) => {
    for (let repetition = 0; repetition < REPETITIONS; repetition++) await journey(`Worker${worker}x${repetition}`)
  })
  await Promise.all(workers)
  expect(await admin.listSandboxes()).toEqual([])
  expect((await admin.clock()).organizations).toEqual([])
})
