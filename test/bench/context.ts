import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FixtureDocument } from 'mockademy'
import type { Row } from './figures.js'
import { type Guest, startGuest } from './guest.js'
import type { Peers } from './peers.js'
import { ROOT, type ServerProcess, startServer } from './processes.js'
import { temporaryFolder } from './temporary.js'
import { worldOf } from './worlds.js'

/** The sizes at which growth is measured, in elements. */
export const SIZES = [1000, 10_000, 100_000] as const
export type Size = (typeof SIZES)[number]
export const spellSize = (size: number) => size.toLocaleString('en-US')

/** What a row is measured with. */
export interface Bench {
  /** Fewer rounds: the figures are rougher, and all of it ends within 90 s. */
  quick: boolean
  peers: Peers | undefined
  /** How often: the first number, or the second of a quick run. */
  times: (full: number, quick: number) => number
  /** A folder of this run's own, for one purpose. */
  folder: (purpose: string) => Promise<string>
  /** `mockademy start` on a free port, with a store file. `args` are its further flags. */
  start: (store: string, ...args: string[]) => Promise<ServerProcess>
  /** Writes a document to a file. @returns its path */
  documentOf: (document: FixtureDocument) => Promise<string>
  /** The same from a document, with a store of its own. */
  startWith: (document: FixtureDocument) => Promise<ServerProcess>
  /** A store with that many elements, made once a run. @returns the path of a copy */
  storeOf: (size: Size) => Promise<string>
  /** Makes a thing the first time that it is asked for by that name, for rows that share it. */
  once: <T>(name: string, make: () => Promise<T>) => Promise<T>
  /** An emulator with that many elements, started once a run and kept. */
  sized: (size: Size) => Promise<ServerProcess>
  /** An express server with these answers, by method and path. */
  express: (answers: Record<string, ExpressAnswer>) => Promise<ServerProcess>
  /** mockademy inside a process of its own. */
  guest: (options: Record<string, unknown>) => Promise<Guest>
}

export interface ExpressAnswer {
  status?: number
  body?: unknown
  location?: string
}

/** A row and how it is measured. What it starts and does not stop itself ends with the run. */
export interface Measurement {
  id: string
  measure: (bench: Bench) => Promise<Omit<Row, 'id'>>
}

export const server = (name: string) => join(ROOT, 'test', 'bench', 'servers', `${name}.js`)

/**
 * @param root the folder of the package that is measured: this one, or another that is built or installed
 * @returns the bench, and what ends everything that it has started
 */
export async function createBench(root: string, quick: boolean, peers: Peers | undefined) {
  const home = await temporaryFolder('bench')
  const ends: (() => Promise<void>)[] = []
  const kept = new Map<string, Promise<unknown>>()
  const once = <T>(name: string, make: () => Promise<T>): Promise<T> => {
    const made = kept.get(name) ?? make()
    kept.set(name, made)
    return made as Promise<T>
  }
  const ending = <T extends { stop: () => Promise<void> }>(started: T): T => {
    ends.push(() => started.stop())
    return started
  }
  let folders = 0

  const bench: Bench = {
    quick,
    peers,
    once,
    times: (full, few) => (quick ? few : full),
    async folder(purpose) {
      const folder = join(home, `${purpose}-${folders++}`)
      await mkdir(folder)
      return folder
    },
    async start(store, ...args) {
      const script = join(root, 'bin', 'mockademy.js')
      return ending(await startServer({ args: [script, 'start', '--port', '0', '--store', store, ...args], cwd: home }))
    },
    async documentOf(document) {
      const file = join(await bench.folder('world'), 'fixtures.json')
      await writeFile(file, JSON.stringify(document))
      return file
    },
    async startWith(document) {
      const file = await bench.documentOf(document)
      return bench.start(join(dirname(file), 'store.json'), '--fixtures', file)
    },
    async storeOf(size) {
      const made = await once(`store ${size}`, async () => {
        const file = await bench.documentOf(worldOf(size))
        const store = join(dirname(file), 'store.json')
        const seeding = await bench.start(store, '--fixtures', file)
        await seeding.stop()
        return store
      })
      const copy = join(await bench.folder('copy'), 'store.json')
      await cp(made, copy)
      return copy
    },
    sized: (size) => once(`sized ${size}`, async () => bench.start(await bench.storeOf(size))),
    async express(answers) {
      const file = join(await bench.folder('express'), 'answers.json')
      await writeFile(file, JSON.stringify(answers))
      return ending(await startServer({ args: [server('bare-express'), file] }))
    },
    async guest(options) {
      const entry = pathToFileURL(join(root, 'dist', 'index.js')).href
      return ending(await startGuest({ program: 'mockademy', entry, options }))
    },
  }
  return {
    bench,
    async close() {
      await Promise.all(ends.map((end) => end()))
    },
  }
}
