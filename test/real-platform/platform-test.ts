import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmulator } from 'mockademy'
import { type CompareOptions, type Comparison, compare } from '../../src/programs/real-platform/compare.js'
import type { Watch } from '../../src/programs/real-platform/platform-client.js'
import { type PullOptions, type PullReport, pull } from '../../src/programs/real-platform/pull.js'
import { type EmulatorReference, readReference } from '../../src/programs/real-platform/reference.js'
import { type Answer, test as base, send } from '../harness/emulator-test.js'
import { serve } from '../harness/serve.js'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever a document holds, and fails where it is not there
export type Document = any

/** A response on its way through a server that stands between. */
export interface Passing {
  /** Without the query. */
  path: string
  query: URLSearchParams
  method: string
  /** Of the server between: where the request thinks that it is. */
  host: string | undefined
  authorization: string | undefined
  status: number
  headers: Record<string, string>
  body: Document
}

/** A watch on which time passes only by waiting: what was waited for is written down, and nobody sleeps. */
export interface TestWatch extends Watch {
  waits: number[]
  /** Told of each wait before it ends. */
  onWait: (milliseconds: number) => Promise<void> | void
}

interface Fixtures {
  watch: TestWatch
  /** Pulls from the emulator of the test, or from `base`, into `world.json` of the folder. */
  pullFrom: (options?: Partial<PullOptions>) => Promise<PullReport & { document: Document }>
  compareWith: (options: Partial<CompareOptions> & { base: string }) => Promise<Comparison>
  /** A server that passes requests on to the one at `target`, and alters what comes back. */
  between: (target: string, alter: (passing: Passing) => void) => Promise<string>
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the parameter list
  watch: async ({}, use) => {
    let now = 0
    const watch: TestWatch = {
      waits: [],
      onWait: () => {},
      now: () => now,
      async wait(milliseconds) {
        watch.waits.push(milliseconds)
        now += milliseconds
        await watch.onWait(milliseconds)
      },
    }
    await use(watch)
  },

  pullFrom: async ({ emulator, folder, watch }, use) => {
    await use(async (options = {}) => {
      const out = join(folder, 'world.json')
      const report = await pull({
        base: emulator.url,
        apiKey: 'key_acme',
        organization: 'acme',
        name: 'Acme Academy',
        courses: [],
        keepPeople: false,
        requestsPerSecond: 0,
        out,
        watch,
        ...options,
      })
      return { ...report, document: JSON.parse(await readFile(options.out ?? out, 'utf8')) }
    })
  },

  compareWith: async ({ watch }, use) => {
    await use((options) => compare({ apiKey: 'key_acme', requestsPerSecond: 0, watch, referenceFor, ...options }))
  },

  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the parameter list
  between: async ({}, use) => {
    await use(async (target, alter) => {
      const { url } = await serve(async (request, response) => {
        const { pathname, searchParams: query, search } = new URL(request.url ?? '/', 'http://localhost')
        const { method = 'GET' } = request
        const { authorization, host } = request.headers
        const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
        const call = () => send(target + pathname + search, { method, headers, injected: true })
        const answer = await (pathname === '/v0/openapi.json' ? descriptionOf(target, call) : call())
        const passing: Passing = {
          path: pathname,
          query,
          method,
          host,
          authorization,
          status: answer.status,
          headers: Object.fromEntries(answer.headers),
          body: structuredClone(answer.body),
        }
        alter(passing)
        const bytes = Buffer.from(typeof passing.body === 'string' ? passing.body : JSON.stringify(passing.body))
        response.writeHead(passing.status, { ...passing.headers, 'content-length': bytes.length }).end(bytes)
      })
      return url
    })
  },
})

/** Caches values that are slow to make and never change. */
const kept = <V>() => {
  const values = new Map<string, Promise<V>>()
  return (key: string, make: () => Promise<V>) => {
    const value = values.get(key) ?? make()
    values.set(key, value)
    return value
  }
}

const descriptionOf = kept<Answer>()
const referenceOf = kept<EmulatorReference>()
const referenceFor = (names: Record<string, string>) =>
  referenceOf(JSON.stringify(names), () => readReference(names, startEmulator))

/** Everything that is in the files below a folder. */
export async function contentsOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n')
}

/** Every item of a list of `/v0`. */
export async function listOf(url: string, path: string, key = 'key_acme'): Promise<Document[]> {
  const items: Document[] = []
  for (let page: string | null = ''; page !== null; ) {
    const { body } = await send(`${url}${path}${page && `?page=${page}`}`, { as: key })
    items.push(...body.payload.data)
    page = body.payload.next
  }
  return items
}
