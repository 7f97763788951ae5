import { type Call, createClient, medianTime } from '../client.js'
import { atMost, figureOf, type Goal, ratioOf } from '../figures.js'
import { type Bench, type ExpressAnswer, type Measurement, SIZES, spellSize } from '../measurement.js'
import { bearer, json, newElement } from '../worlds.js'
import { compare } from './compare.js'

/** A kind of request that is to cost the same at every size of the world. */
interface Growing {
  id: string
  title: string
  path: string
  /** A request; `turn` differs each time. */
  call: (turn: number) => Call
  /** Done before each request, in time that does not count. */
  before?: (turn: number) => { path: string; call: Call }
  /** Route of an express server that returns the same JSON; no comparison when left out. */
  route?: string
  requests: [full: number, quick: number]
  /** The sizes that are measured: all of them when left out. */
  sizes?: readonly (typeof SIZES)[number][]
  goals?: (name: (size: number) => string, median: (size: number) => number) => Goal[]
  growth?: number
}

const post = (body?: string): Call => ({ method: 'POST', headers: json, ...(body !== undefined && { body }) })
const aChange = (turn: number) => ({ path: '/v0/elements', call: post(newElement(`Changed ${turn}`)) })

const kinds: Growing[] = [
  {
    id: 'list',
    title: 'GET /v0/elements, one page of 50',
    path: '/v0/elements',
    call: () => ({ headers: bearer }),
    route: 'GET /v0/elements',
    requests: [200, 60],
    growth: 1.2,
  },
  {
    id: 'search',
    title: 'POST /v0/elements/search, a part of the names of eleven',
    path: '/v0/elements/search',
    call: () => post('{"q":"lesson 7777"}'),
    route: 'POST /v0/elements/search',
    requests: [20, 5],
    sizes: [100_000],
  },
  {
    id: 'create',
    title: 'POST /v0/elements, durable, one after the other',
    path: '/v0/elements',
    call: (turn) => post(newElement(`Created ${turn}`)),
    route: 'POST /v0/elements',
    requests: [200, 80],
    growth: 1.2,
    goals: (name, median) => SIZES.map((size) => atMost(1, median(size), `${name(size)}: p50 in ms`)),
  },
  {
    id: 'reset/http',
    title: 'POST /_admin/reset after one change',
    path: '/_admin/reset',
    call: () => post(),
    before: aChange,
    requests: [50, 20],
    growth: 1.2,
  },
  {
    id: 'snapshot',
    title: 'POST /_admin/snapshots after one change',
    path: '/_admin/snapshots',
    call: () => post('{"name":"bench"}'),
    before: aChange,
    requests: [50, 20],
    growth: 1.2,
  },
]

export const sizes: Measurement[] = kinds.map((kind) => ({
  id: kind.id,
  async measure(bench) {
    const { id, title, path, call, before, route, growth } = kind
    const measured = kind.sizes ?? SIZES
    const name = (size: number) => `mockademy, ${spellSize(size)} elements`
    const targets = await Promise.all(
      measured.map(async (size) => ({ name: name(size), client: createClient((await bench.sized(size)).url) })),
    )
    let turns = 0
    if (route !== undefined) {
      const client = targets[0]?.client
      const { status, text } = (await client?.send(path, call(turns++))) ?? { status: 0, text: '' }
      targets.unshift({
        name: 'bare express',
        client: await expressOf(bench, { [route]: { status, body: JSON.parse(text) } }),
      })
    }
    const contenders = targets.map(({ name, client }) => ({
      name,
      async once() {
        return await medianTime(
          bench.times(...kind.requests),
          () => client.send(path, call(turns++)),
          async () => {
            const first = before?.(turns++)
            if (first) await client.send(first.path, first.call)
          },
        )
      },
    }))
    const [smallest, largest] = [measured[0] as number, measured.at(-1) as number]
    const reference = route === undefined ? name(smallest) : 'bare express'
    const row = await compare(bench, { id, unit: 'ms', rounds: bench.times(9, 5), reference, contenders })
    for (const { client } of targets) client.close()
    const figure = (size: number) => figureOf(row.figures, name(size))
    const median = (size: number) => figure(size).median
    const grown = `growth from ${spellSize(smallest)} to ${spellSize(largest)} elements`
    return {
      title,
      ...row,
      goals: [
        ...(kind.goals?.(name, median) ?? []),
        ...(growth === undefined ? [] : [atMost(growth, ratioOf(figure(largest), figure(smallest)), grown)]),
      ],
    }
  },
}))

const expressOf = async (bench: Bench, answers: Record<string, ExpressAnswer>) =>
  createClient((await bench.express(answers)).url)
