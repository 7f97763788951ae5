import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { send } from '../harness/emulator-test.js'
import { test as base } from '../harness/temporary-folder.js'

const dist = new URL('../../dist/index.js', import.meta.url).href
const canUnshare = spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0

/** Tells its address and its pid as this machine knows it, and runs until it is killed, or is asked to end and says how that failed. */
const script = (store: string) => `import(${JSON.stringify(dist)}).then(async ({ startEmulator }) => {
  const { url, close } = await startEmulator({ store: ${JSON.stringify(store)}, fixtures: {}, resume: true })
  console.log(url, process.pid)
  process.once('SIGTERM', () => close().catch(({ message }) => console.log(message)).then(() => process.exit()))
}).catch((error) => { console.log('refused', error.message) })`

interface Running {
  child: ChildProcess
  /** Words of its first line: its address and pid, or `refused`. */
  said: string[]
}

const test = base.extend<{ run: (command: string, args: string[]) => Promise<Running> }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants the destructuring
  run: async ({}, use) => {
    const children: ChildProcess[] = []
    await use(async (command, args) => {
      const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      children.push(child)
      const [line] = await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')
      return { child, said: String(line).split(' ') }
    })
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      child.kill('SIGCONT')
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  },
})

const refusal = (said: string[]) => (said[0] === 'refused' ? said.slice(1).join(' ') : undefined)
const node = process.execPath
/** As in a container of its own, where it has pid 1. */
const inNamespace = (store: string) =>
  ['--pid', '--fork', '--mount-proc', '--kill-child', node, '-e', script(store)] as string[]

describe('one process a store', () => {
  test.runIf(process.platform === 'linux')('a zombie that nobody reaps holds nobody up', async ({ store, run }) => {
    // The parent becomes a program that never asks for its children.
    const { said } = await run('sh', ['-c', `"$0" -e "$1" & exec sleep 300`, node, script(store)])
    const pid = Number(said[1])
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0]).toBe('Z')
    await using emulator = await startEmulator({ store })
    expect(emulator.notes).toEqual([])
  })

  test('a start that fails leaves the store to the next one', async ({ store }) => {
    const other = await startEmulator({ fixtures: {} })
    await expect(startEmulator({ store, port: Number(new URL(other.url).port) })).rejects.toMatchObject({
      message: expect.stringContaining('in use'),
    })
    await other.close()
    expect(existsSync(`${store}.lock`)).toBe(false)
    await using emulator = await startEmulator({ store })
    expect(emulator.notes).toEqual([])
  })

  test('a symbolic link to the file or its folder is the same store', async ({ folder, store }) => {
    const emulator = await startEmulator({ store, fixtures: {} })
    symlinkSync(store, join(folder, 'link.json'))
    mkdirSync(join(folder, 'other'))
    symlinkSync(folder, join(folder, 'other', 'way'))
    for (const path of [join(folder, 'link.json'), join(folder, 'other', 'way', 'store.json')]) {
      await expect(startEmulator({ store: path })).rejects.toMatchObject({
        exitStatus: 2,
        message: expect.stringContaining(`process ${process.pid}`),
      })
    }
    await emulator.close()

    const again = await startEmulator({ store: join(folder, 'link.json') })
    await send(`${again.url}/_admin/organizations`, { body: { slug: 'neo', name: 'Neo' } })
    await again.close()
    expect(readFileSync(store, 'utf8')).toContain('"neo"')
    expect(readdirSync(folder).toSorted()).toEqual(['link.json', 'other', 'store.json'])
  })

  test('a link to a file that is not there yet leads to it', async ({ folder, store }) => {
    symlinkSync(join(folder, 'data', 'store.json'), store)
    const emulator = await startEmulator({ store, fixtures: {} })
    await emulator.close()
    expect(existsSync(join(folder, 'data', 'store.json'))).toBe(true)
  })

  test.runIf(canUnshare)(
    'a second container on the volume is refused, though both have pid 1',
    async ({ store, run }) => {
      const first = await run('unshare', inNamespace(store))
      expect(first.said[1]).toBe('1')
      const second = await run('unshare', inNamespace(store))
      expect(refusal(second.said)).toMatch(/is in use by process 1 on .*, in another container or machine/)
      await expect(startEmulator({ store })).rejects.toMatchObject({ exitStatus: 2 })
    },
  )

  // It takes real seconds until an owner that is silent counts as dead: these two wait side by side.
  test.runIf(canUnshare)(
    'a container that was killed holds the next one up for less than 10 s',
    { concurrent: true },
    async ({ store, run }) => {
      const { child } = await run('unshare', inNamespace(store))
      const died = once(child, 'exit')
      child.kill('SIGKILL')
      await died
      const began = performance.now()
      const seconds = slowSeconds()
      const emulator = await startEmulator({ store })
      expect(performance.now() - began).toBeLessThan(10 * (await seconds))
      expect(emulator.notes.join()).toContain('was left behind by process 1')
      await emulator.close()
      expect(existsSync(`${store}.lock`)).toBe(false)
    },
  )

  test.runIf(canUnshare)(
    'an owner that slept through a takeover writes nothing more',
    { concurrent: true },
    async ({ store, run }) => {
      const { child, said } = await run('unshare', inNamespace(store))
      const url = said[0] as string
      // The emulator itself, and not the one that started it: pid 1 of its namespace.
      const pids = spawnSync('pgrep', ['-f', store], { encoding: 'utf8' }).stdout.trim().split('\n').map(Number)
      const inside = pids.find((pid) => /^NSpid:.*\s1$/m.test(readStatus(pid))) as number
      process.kill(inside, 'SIGSTOP')
      const emulator = await startEmulator({ store })
      const create = (at: string, slug: string) => send(`${at}/_admin/organizations`, { body: { slug, name: slug } })
      // Its successor's journal differs from its own.
      expect((await create(emulator.url, 'neo')).status).toBe(201)
      process.kill(inside, 'SIGCONT')
      const { status, body } = await create(url, 'late')
      expect(status).toBe(507)
      expect(JSON.stringify(body)).toContain(`another process has taken over ${store}`)
      const lastLine = once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')
      process.kill(inside, 'SIGTERM')
      expect(String(await lastLine)).toMatch(
        /^another process has taken over .*\. Nothing is lost: .*store\.json and its journal have/,
      )
      await emulator.close()
      expect(readFileSync(store, 'utf8')).not.toContain('"late"')
    },
  )

  test('of forty racing starts one gets the store, also when a dead one has left its lock', {
    timeout: 900_000,
  }, async ({ folder, store }) => {
    const racer = join(folder, 'racer.mjs')
    buildSync({
      stdin: {
        contents: `import { lockStore } from './src/foundation/store/lock.ts'
          process.stdin.once('data', () => {
            lockStore(process.argv[2]).then(() => console.log('got'), (error) => console.log('refused ' + error.message))
          })
          process.stdin.on('end', () => process.exit())
          console.log('ready')`,
        resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
      },
      bundle: true,
      platform: 'node',
      target: 'node20.19',
      format: 'esm',
      outfile: racer,
    })
    writeFileSync(`${store}.lock`, JSON.stringify({ id: 'x', pid: 2 ** 22 + 1, host: hostname(), started: '1' }))
    const racers = Array.from({ length: 40 }, () => {
      const child = spawn(node, [racer, store], { stdio: ['pipe', 'pipe', 'inherit'] })
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      return { child, next: async () => String((await lines.next()).value) }
    })
    for (const { next } of racers) expect(await next()).toBe('ready')
    for (const { child } of racers) child.stdin.write('go\n')
    const results = await Promise.all(racers.map(({ next }) => next()))
    expect(results.filter((result) => result === 'got')).toHaveLength(1)
    expect(results.filter((result) => /^refused The store .* is in use by process \d+/.test(result))).toHaveLength(39)
    expect(readdirSync(folder).toSorted()).toEqual(['racer.mjs', 'store.json.lock'])
    for (const { child } of racers) child.stdin.end()
  })
})

/** Resolves with the milliseconds that a second of short waits takes: many more than 1000 where the processor is busy. */
async function slowSeconds(): Promise<number> {
  const began = performance.now()
  for (let waits = 0; waits < 70; waits++) await new Promise((resolve) => setTimeout(resolve, 100))
  return (performance.now() - began) / 7
}

const readStatus = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}
