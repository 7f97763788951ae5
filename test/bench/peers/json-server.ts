import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient, medianTime } from '../client.js'
import { type Bench, type Peer, type PeerContender, SIZES, type Size, spellSize } from '../measurement.js'
import { freePort, peakMemory, type ServerProcess, startServer } from '../processes.js'
import { scriptOf } from './script.js'

const json = { 'content-type': 'application/json' }

/** The elements of a world of that size, in the form that json-server keeps. */
const recordsOf = (size: number) => ({
  elements: Array.from({ length: size }, (_, number) => ({
    id: `e${number}`,
    object: 'element',
    type: 'CONTENT',
    name: `Lesson ${number}`,
    content: number === 0 ? 'Lorem ipsum. '.repeat(65) : `What lesson ${number} is about.`,
    position: number % 100,
    module: `m${Math.floor(number / 100)}`,
    metadata: {},
    properties: {},
  })),
})

async function start(home: string, bench: Bench, size: number): Promise<ServerProcess> {
  const file = join(await bench.folder('json-server'), 'db.json')
  await writeFile(file, JSON.stringify(recordsOf(size)))
  return startOn(home, file)
}

async function startOn(home: string, file: string): Promise<ServerProcess> {
  const port = await freePort()
  const args = [await scriptOf(home, 'json-server'), '--port', String(port), file]
  return startServer({ args, port, health: '/elements/e0' })
}

/** A request at each of these sizes, one after the other. */
const atSizes =
  (sizes: readonly Size[], times: [full: number, quick: number], request: (turn: number) => RequestOf) =>
  async (home: string, bench: Bench): Promise<PeerContender[]> =>
    await Promise.all(
      sizes.map(async (size) => {
        const server = await start(home, bench, size)
        const client = createClient(server.url)
        let turns = 0
        return {
          name: `json-server, ${spellSize(size)} elements`,
          once: () =>
            medianTime(bench.times(...times), () => {
              const { path, ...call } = request(turns++)
              return client.send(path, call)
            }),
          async stop() {
            client.close()
            await server.stop('SIGKILL')
          },
        }
      }),
    )

interface RequestOf {
  path: string
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** @param size how many elements its file holds */
const starting =
  (size: number) =>
  async (home: string, bench: Bench): Promise<PeerContender[]> => {
    const file = join(await bench.folder('json-server'), 'db.json')
    await writeFile(file, JSON.stringify(recordsOf(size)))
    let peak: number | undefined
    const contender: PeerContender = {
      name: 'json-server',
      async once() {
        const server = await startOn(home, file)
        peak = peakMemory(server.pid)
        await server.stop('SIGKILL')
        return server.firstAnswer
      },
      note: () => `json-server: peak ${peak?.toFixed(0) ?? 'unknown'} MB`,
    }
    return [contender]
  }

/** A REST server of a JSON file. https://github.com/typicode/json-server */
export const jsonServer: Peer = {
  name: 'json-server',
  version: '1.0.0-beta.15',
  answers: {
    start: starting(100),
    restart: starting(100_000),
    list: atSizes([1000, 100_000], [20, 5], () => ({ path: '/elements?_page=1&_per_page=50' })),
    search: atSizes([100_000], [5, 2], () => ({ path: '/elements?name:contains=lesson%207777&_page=1&_per_page=50' })),
    create: atSizes(SIZES, [5, 2], (turn) => ({
      path: '/elements',
      method: 'POST',
      headers: json,
      body: JSON.stringify({ name: `Created ${turn}`, type: 'CONTENT', content: 'What this lesson is about.' }),
    })),
  },
  serves: {
    async read(home, bench) {
      const { url, stop } = await start(home, bench, 1000)
      return { name: 'json-server (no authentication)', url: `${url}/elements/e0`, stop: () => stop('SIGKILL') }
    },
  },
}
