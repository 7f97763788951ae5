import { type Admin, connect, startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { test } from '../harness/command-line.js'
import { type Call, send as sendChecked } from '../harness/emulator-test.js'

/** Without a look at the OpenAPI document of each world, which takes longer than all the rest. */
const send = (url: string, call: Call) => sendChecked(url, { ...call, injected: true })

const WORLDS = 50
/** In a process without seeds each world makes a signing key, which takes longer than its life. */
const WORLDS_WITH_KEYS = 20
const READS = 8

/** Data that belongs to one world only. */
interface Own {
  index: number
  url: string
  admin: Admin
  token: string
  ids: string[]
}

const momentOf = (index: number) => `20${String(10 + index)}-03-04T05:06:07.000Z`
const minutesLater = (index: number) => new Date(Date.parse(momentOf(index)) + index * 60_000).toISOString()

/** A world's life: its own time, its own faults, its own app, and in every fifth a reset in the middle of it. */
async function live(url: string, index: number): Promise<Own> {
  const admin = connect(url)
  const slug = `world-${index}`
  if (index % 5 === 0) {
    await admin.createOrganization({ slug: 'gone', name: 'Gone' })
    await admin.addFault({ match: { surface: 'api' }, effect: { status: 599 } })
    await send(`${url}/v0/courses`, { as: 'key_acme' })
    await admin.reset()
  }
  await admin.freezeClock(momentOf(index))
  const key = `key_${slug}`
  const { created } = await admin.addFixtures({
    organizations: [
      {
        slug,
        name: slug,
        api_key: key,
        members: [{ user: 'ada@acme.test', role: 'owner' }],
        courses: [{ name: slug, modules: [{ name: slug }] }],
      },
    ],
  })
  const [version] = (await admin.getApp('notes')).versions
  const manifest = { ...version?.manifest, webhook: { url: `${url}/_inbox/${slug}` } }
  await admin.pushManifest('notes', manifest as Parameters<Admin['pushManifest']>[1])
  // Of three worlds one refuses modules, one members, one nothing; each with a status of its own.
  const fault = index % 3 === 0 ? '/v0/modules' : index % 3 === 1 ? '/v0/members' : undefined
  if (fault) await admin.addFault({ match: { surface: 'api', path: fault }, effect: { status: 500 + (index % 60) } })
  const { installation, credentials, delivery } = await admin.install({ app: 'notes', organization: slug })
  expect(delivery?.state).toBe('acknowledged')
  const token = credentials?.access_token as string
  const reads = Array.from({ length: READS }, () => send(`${url}/v0/courses`, { as: token }))
  const [, ...answers] = await Promise.all([admin.advanceClock(index * 60_000), ...reads])
  const made = await send(`${url}/v0/elements`, {
    as: key,
    body: { module: created.modules?.[0], type: 'CONTENT', name: slug },
  })
  const ids = [installation.id, delivery?.id as string, delivery?.event.id as string, made.body.payload.id]
  for (const { status, body } of answers) {
    expect(status).toBe(200)
    expect(body.payload.data.map(({ name }: { name: string }) => name)).toEqual([slug])
    ids.push(body.payload.data[0].id)
  }
  return { index, url, admin, token, ids: [...new Set(ids)] }
}

/** Everything that a world tells is its own. */
async function expectItsOwn({ index, url, admin, token }: Own, others: Own[]): Promise<void> {
  const slug = `world-${index}`
  expect(await admin.clock()).toMatchObject({ now: minutesLater(index), frozen: true })

  const organizations = (await admin.listOrganizations()).map((each) => each.slug)
  expect(organizations.sort()).toEqual(['acme', 'globex', 'initech', slug])

  const faults = await admin.listFaults()
  expect(faults.map(({ effect }) => effect)).toEqual(index % 3 === 2 ? [] : [{ status: 500 + (index % 60) }])
  const refuses = async (path: string) => (await send(url + path, { as: 'key_globex' })).status
  expect(await refuses('/v0/modules')).toBe(index % 3 === 0 ? 500 + (index % 60) : 200)
  expect(await refuses('/v0/members')).toBe(index % 3 === 1 ? 500 + (index % 60) : 200)

  const deliveries = await admin.listDeliveries()
  expect(deliveries.map(({ organization, url: to }) => [organization, to])).toEqual([[slug, `${url}/_inbox/${slug}`]])
  const inbox = await admin.readInbox(slug)
  expect(inbox).toMatchObject([{ event: 'app.installed', verified: true, at: momentOf(index) }])
  expect(await admin.listTokens({ organization: slug })).toHaveLength(2)

  const reads = await admin.listRequests({ path: '/v0/courses', app: 'notes' })
  expect(reads).toHaveLength(READS)
  expect(new Set(reads.map(({ organization }) => organization))).toEqual(new Set([slug]))

  // Another world's token is nobody's here.
  const other = others[(index + 1) % others.length] as Own
  const foreign = await send(`${url}/v0/courses`, { as: other.token })
  expect(foreign.status).toBe(401)
  expect(foreign.headers.get('www-authenticate')).toContain('unknown')
  expect((await send(`${url}/v0/courses`, { as: token })).status).toBe(200)
}

async function expectNoCrosstalk(urls: string[]): Promise<void> {
  expect(new Set(urls).size).toBe(urls.length)
  const lived = await Promise.all(urls.map(live))
  const ids = lived.flatMap(({ ids }) => ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(lived.map(({ token }) => token)).size).toBe(urls.length)
  await Promise.all(lived.map((own) => expectItsOwn(own, lived)))
  // A reset of every other one leaves the rest alone.
  await Promise.all(lived.filter(({ index }) => index % 2 === 0).map(({ admin }) => admin.reset()))
  for (const { index, admin } of lived) {
    const isReset = index % 2 === 0
    expect(await admin.listOrganizations()).toHaveLength(isReset ? 3 : 4)
    expect((await admin.listRequests()).length > 0).toBe(!isReset)
    expect((await admin.clock()).now === minutesLater(index)).toBe(!isReset)
  }
}

/** So many worlds keep a machine busy: an acknowledgement takes as long as it takes. */
const patience = { ackWindow: 30_000 }

describe('control-api "Worlds": many side by side under load', () => {
  test('of startEmulator in one process do not see each other', async () => {
    // With a seed of its own each, so that none has to make a signing key.
    const starts = Array.from({ length: WORLDS }, (_, index) => startEmulator({ seed: `world ${index}`, ...patience }))
    const emulators = await Promise.all(starts)
    try {
      await expectNoCrosstalk(emulators.map(({ url }) => url))
    } finally {
      await Promise.all(emulators.map((emulator) => emulator.close()))
    }
  })

  test('of start --worlds do not either', async ({ start }) => {
    const { url } = await start([
      '--worlds',
      String(WORLDS_WITH_KEYS),
      '--port',
      '0',
      '--store',
      'memory',
      '--ack-window',
      '30s',
    ])
    const { worlds } = await connect(url).world()
    expect(worlds.map(({ index }) => index)).toEqual(Array.from({ length: WORLDS_WITH_KEYS }, (_, index) => index))
    await expectNoCrosstalk(worlds.map((world) => world.url))
  })

  test('with a seed, each has another, from which the same world can be started alone', async ({ start }) => {
    const stopped = { now: '2026-01-01T00:00:00Z' }
    const flags = ['--seed', 's:1', '--now', stopped.now, '--port', '0', '--store', 'memory']
    const { url } = await start(['--worlds', '6', ...flags])
    /** Returns values that the seed determines, among them the pages' form token and the signing key. */
    const madeAt = async (of: string) => {
      const admin = connect(of)
      const { id } = await admin.createUser({ email: 'new@acme.test' })
      const { api_key } = await admin.generateApiKey('acme')
      const { keys } = (await send(`${of}/.well-known/jwks.json`, {})).body
      const csrf = /name="csrf" value="([^"]*)"/.exec((await send(`${of}/login`, {})).text)?.[1]
      return [id, api_key, csrf, keys[0].kid, keys[0].n]
    }
    const { worlds } = await connect(url).world()
    const made = await Promise.all(worlds.map((world) => madeAt(world.url)))
    expect(new Set(made.flat()).size).toBe(6 * 5)
    for (const [index, seed] of ['s:1', 's:1:1', 's:1:2'].entries()) {
      await using alone = await startEmulator({ seed, ...stopped })
      expect(await madeAt(alone.url)).toEqual(made[index])
    }
  })
})
