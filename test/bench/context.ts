import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startGuest } from './guest.js'
import type { Bench, Peers } from './measurement.js'
import { ROOT, startServer } from './processes.js'
import { temporaryFolder } from './temporary.js'
import { worldOf } from './worlds.js'

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
