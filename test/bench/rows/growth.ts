import type { FixtureDocument } from 'mockademy'
import { createClient, medianTime } from '../client.js'
import { atMost, figureOf } from '../figures.js'
import { type Bench, type Measurement, spellSize } from '../measurement.js'
import type { ServerProcess } from '../processes.js'
import { API_KEY, bearer, ELEMENT, json, MODULE, newElement, worldWithApp } from '../worlds.js'
import { compare } from './compare.js'

/** Nothing listens there, so that a webhook to it is retried. */
const NOWHERE = 'http://127.0.0.1:9/'
const HOUR = 3_600_000

const small = () => worldWithApp(NOWHERE)

interface Crowd {
  crowd: string
  many: number
  start: (bench: Bench, many: number) => Promise<ServerProcess>
}

/** Worlds with many records other than elements. */
const crowds: Crowd[] = [
  {
    crowd: 'organizations',
    many: 100,
    start: (bench, many) => bench.startWith({ ...small(), organizations: organizations(many) }),
  },
  { crowd: 'siblings', many: 10_000, start: (bench, many) => bench.startWith(withSiblings(many)) },
  { crowd: 'tokens', many: 10_000, start: async (bench, many) => bench.startWith(await copied(bench, 'tokens', many)) },
  {
    crowd: 'pending retries',
    many: 10_000,
    start: async (bench, many) => bench.startWith(await copied(bench, 'deliveries', many)),
  },
  {
    crowd: 'snapshots',
    many: 1000,
    async start(bench, many) {
      const emulator = await bench.startWith(small())
      const client = createClient(emulator.url)
      for (let number = 0; number < many; number++) {
        const body = JSON.stringify({ name: `snapshot-${number}` })
        // An update: a world that has more elements than the others would measure those.
        const update = JSON.stringify({ name: `Before ${number}` })
        await client.send(`/v0/elements/e${number % 100}`, { method: 'PATCH', headers: json, body: update })
        await client.send('/_admin/snapshots', { method: 'POST', headers: json, body })
      }
      client.close()
      return emulator
    },
  },
]

const FEW = 'few of everything'

const requests = {
  create: (client: ReturnType<typeof createClient>, turn: number) =>
    client.send('/v0/elements', { method: 'POST', headers: json, body: newElement(`Created ${turn}`) }),
  read: (client: ReturnType<typeof createClient>) => client.send(`/v0/elements/${ELEMENT}`, { headers: bearer }),
}

export const growth: Measurement[] = (['create', 'read'] as const).map((request) => ({
  id: `growth/${request}`,
  async measure(bench) {
    const worlds = await bench.once('crowds', () => startWorlds(bench))
    const clients = Object.entries(worlds).map(([name, { url }]) => ({ name, client: createClient(url) }))
    let turns = 0
    const contenders = clients.map(({ name, client }) => ({
      name,
      once: () => medianTime(bench.times(300, 120), () => requests[request](client, turns++)),
    }))
    const id = `growth/${request}`
    const row = await compare(bench, { id, unit: 'ms', rounds: bench.times(9, 5), reference: FEW, contenders })
    for (const { client } of clients) client.close()
    return {
      title:
        request === 'create'
          ? 'POST /v0/elements beside many of something else'
          : 'GET of one element beside many of something else',
      ...row,
      goals: Object.keys(worlds)
        .slice(1)
        .map((name) => atMost(1.2, figureOf(row.figures, name).ratio as number, `${name}: ratio`)),
    }
  },
}))

async function startWorlds(bench: Bench): Promise<Record<string, ServerProcess>> {
  const started = crowds.map(async ({ crowd, many, start }) => [
    `${spellSize(many)} ${crowd}`,
    await start(bench, many),
  ])
  return { [FEW]: await bench.startWith(small()), ...Object.fromEntries(await Promise.all(started)) }
}

/** A world whose new elements come after that many in their module. */
function withSiblings(many: number): FixtureDocument {
  const world = small()
  const siblings = Array.from({ length: many }, (_, number) => ({ type: 'CONTENT', name: `Sibling ${number}` }))
  for (const { modules = [] } of world.organizations?.[0]?.courses ?? []) {
    for (const module of modules) if (module.id === MODULE) module.elements = siblings
  }
  return world
}

const organizations = (many: number): NonNullable<FixtureDocument['organizations']> => {
  const [first] = small().organizations ?? []
  const others = Array.from({ length: many - 1 }, (_, number) => ({
    slug: `org-${number}`,
    name: `Organization ${number}`,
    api_key: `${API_KEY}_${number}`,
    members: [{ user: 'ada', role: 'owner' as const }],
    courses: [
      {
        id: `course-${number}`,
        name: 'Course',
        modules: [
          { id: `m-${number}`, name: 'Module', elements: [{ id: `o-${number}`, type: 'CONTENT', name: 'Lesson' }] },
        ],
      },
    ],
  }))
  return [...(first ? [first] : []), ...others]
}

/**
 * A world with many tokens or many retries due in an hour. Their form is taken from an export, so that the bench need
 * not know it; the clock stands, so that none falls due.
 */
async function copied(bench: Bench, kind: 'tokens' | 'deliveries', many: number): Promise<FixtureDocument> {
  const document = await bench.once('export', () => exported(bench))
  const [template] = document[kind] ?? []
  const due_at = new Date(Date.parse(document.clock?.now ?? '') + HOUR).toISOString()
  const last = document.sequence?.last ?? 0
  const copies = Array.from({ length: many }, (_, number) => ({
    ...template,
    id: `copy${number}`,
    sequence: last + 1 + number,
    ...(kind === 'tokens'
      ? { secret: `copy${number}` }
      : { due_at, event: { id: `evt_copy${number}`, type: 'bench.event' } }),
  }))
  return {
    ...document,
    [kind]: [...(document[kind] ?? []), ...copies],
    sequence: { last: last + many, draws: document.sequence?.draws ?? 0 },
  }
}

/** A world in which the app has tokens of its own and one webhook that is to be sent again. */
async function exported(bench: Bench): Promise<FixtureDocument> {
  const emulator = await bench.startWith(small())
  const client = createClient(emulator.url)
  const post = (path: string, body: unknown) =>
    client.send(path, { method: 'POST', headers: json, body: JSON.stringify(body) })
  await post('/_admin/clock/freeze', {})
  await post('/_admin/tokens', { app: 'notes', organization: 'acme' })
  await post('/_admin/events', { type: 'bench.event', installation: 'notes-acme', data: {} })
  await client.send('/_admin/deliveries/settled', { headers: json })
  const { text } = await client.send('/_admin/state', { headers: json })
  client.close()
  await emulator.stop()
  return JSON.parse(text)
}
