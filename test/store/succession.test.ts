import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, vi } from 'vitest'
import type { lockStore as LockStore, StoreLock } from '../../src/foundation/store/lock.js'
import { test as base } from '../harness/temporary-folder.js'

interface Fixtures {
  lockStore: typeof LockStore
  /** Starts to lock the store. The result is there, or what it was refused with, once it is known. */
  lock: () => { lock?: StoreLock; refused?: string; done: Promise<void> }
  /** Lets that many milliseconds go by. */
  pass: (ms: number) => Promise<unknown>
}

const test = base.extend<Fixtures>({
  // The product keeps the timers that it was loaded with, where these tests let time go by.
  lockStore: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest wants the destructuring
    async ({}, use) => {
      vi.resetModules()
      vi.doMock('../../src/foundation/time/real-timers.js', () => ({
        pause: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
        setInterval: (...given: Parameters<typeof setInterval>) => setInterval(...given),
        clearInterval: (id: NodeJS.Timeout) => clearInterval(id),
        performance: { now: () => performance.now() },
      }))
      await use((await import('../../src/foundation/store/lock.js')).lockStore)
      vi.doUnmock('../../src/foundation/time/real-timers.js')
      vi.resetModules()
    },
    { scope: 'file' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants the destructuring
  pass: async ({}, use) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'] })
    await use((ms) => vi.advanceTimersByTimeAsync(ms))
    vi.useRealTimers()
  },
  lock: async ({ store, lockStore, pass: _ }, use) => {
    const locked: StoreLock[] = []
    await use(() => {
      const result: ReturnType<Fixtures['lock']> = { done: Promise.resolve() }
      result.done = lockStore(store).then(
        (lock) => {
          locked.push(lock)
          result.lock = lock
        },
        (error: Error) => {
          result.refused = error.message
        },
      )
      return result
    })
    for (const lock of locked) lock.unlock()
  },
})

/** Start time of a Linux process, as in its lock. */
const startOf = (pid: number | 'self') => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19]
const here = () =>
  `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
const GONE = { id: 'gone', pid: 2 ** 22 + 1, host: 'box', started: '1' }
const elsewhere = { id: 'far', pid: 7, host: 'box', pids_of: 'another boot', started: '1' }
const textOf = (owner: object, url?: string) => `${JSON.stringify(owner)}\n${url ? JSON.stringify({ url }) : ''}`
function inUse(store: string, who: string) {
  const [, url] = /listening at (.*)/.exec(who) ?? []
  const join = url ? ` To use it: \`mockademy dev --url ${url}\`.` : ''
  return `The store ${store} is in use by ${who}. Stop it, or choose another file with --store.${join}`
}

describe.runIf(process.platform === 'linux')('a lock that another process has left', () => {
  test('names its owner while that has it, and is gone when it unlocks', async ({ folder, store, lock }) => {
    const first = lock()
    await first.done
    expect(first.lock).toMatchObject({ id: expect.stringMatching(/^[\w-]{36}$/), waitedFor: undefined })
    expect(readFileSync(`${store}.lock`, 'utf8')).toBe(
      textOf({
        id: first.lock?.id,
        pid: process.pid,
        host: hostname(),
        pids_of: here(),
        started: startOf('self'),
      }),
    )
    first.lock?.answersAt('http://127.0.0.1:4600')
    const second = lock()
    await second.done
    expect(second.refused).toBe(inUse(store, `process ${process.pid}, listening at http://127.0.0.1:4600`))
    first.lock?.unlock()
    expect(readdirSync(folder)).toEqual([])
    const third = lock()
    await third.done
    expect(third.lock?.lost()).toBeUndefined()
  })

  test.for<[what: string, owner: () => object]>([
    ['a pid that is none', () => ({ ...GONE, pids_of: here() })],
    ['a pid that now is another process', () => ({ ...GONE, pid: 1, pids_of: here() })],
    ['an earlier start of its own pid', () => ({ ...GONE, pid: process.pid, pids_of: here() })],
    ['a release before there were ids', () => ({ pid: GONE.pid, host: hostname(), started: null })],
  ])('is taken over at once from %s', async ([, owner], { folder, store, lock }) => {
    writeFileSync(`${store}.lock`, textOf(owner()))
    writeFileSync(`${store}.lock.after-older`, 'left')
    mkdirSync(join(folder, '.store.json.staging-x', 'inner'), { recursive: true })
    mkdirSync(join(folder, '.other.json.staging-x'))
    const { done, ...result } = lock()
    await done
    expect(result).toEqual({})
    expect(readdirSync(folder).toSorted()).toEqual(['.other.json.staging-x', 'store.json.lock'])
    expect(JSON.parse(readFileSync(`${store}.lock`, 'utf8')).pid).toBe(process.pid)
  })

  test.for<[url: string | undefined, said: string]>([
    [undefined, ''],
    ['https://[::1]:4600', ', listening at https://[::1]:4600'],
    ['http://localhost:4600', ', listening at http://localhost:4600'],
    ['http://localhost:4600/\u001b[2J', ''],
    ['see http://localhost:4600', ''],
    ['ftp://localhost:4600', ''],
  ])('of a process that runs is refused, with its address: %s', async ([url, said], { store, lock }) => {
    writeFileSync(`${store}.lock`, textOf({ ...GONE, pid: 1, pids_of: here(), started: startOf(1) }, url))
    const result = lock()
    await result.done
    expect(result.refused).toBe(inUse(store, `process 1${said}`))
  })

  test('of a process of another user, which runs, is refused', async ({ store, lock }) => {
    writeFileSync(`${store}.lock`, textOf({ ...GONE, pid: 1, pids_of: here(), started: startOf(1) }))
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' })
    })
    onTestFinished(() => kill.mockRestore())
    const result = lock()
    await result.done
    expect(result.refused).toBe(inUse(store, 'process 1'))
  })

  test.for<[what: string, text: () => string, waitedFor: string]>([
    ['another machine', () => textOf(elsewhere), 'process 7 on box'],
    ['another machine, by an earlier release', () => textOf({ ...elsewhere, pids_of: undefined }), 'process 7 on box'],
    [
      'a process whose start is not known',
      () => textOf({ ...GONE, pid: 1, pids_of: here(), started: null }),
      'process 1 on box',
    ],
    [
      'a thread of this process',
      () => textOf({ ...GONE, pid: process.pid, pids_of: here(), started: startOf('self') }),
      `process ${process.pid} on box`,
    ],
    ['a kill while it was written', () => '{"id":"x"', 'a process'],
    ...Object.entries({ id: '../x', pid: '7', host: 7, started: 7, pids_of: 7 }).map(
      ([name, value]): [string, () => string, string] => [
        `something else: a wrong ${name}`,
        () => textOf({ ...elsewhere, [name]: value }),
        'a process',
      ],
    ),
  ])(
    'of %s is watched for 6 s, and then for as long as its owner may still write',
    async ([, text, waitedFor], { store, lock, pass }) => {
      writeFileSync(`${store}.lock`, text())
      const result = lock()
      await pass(5900)
      expect(readFileSync(`${store}.lock`, 'utf8')).toBe(text())
      await pass(200)
      expect(JSON.parse(readFileSync(`${store}.lock`, 'utf8')).pid).toBe(process.pid)
      expect(result.lock).toBeUndefined()
      await pass(1300)
      expect(result.lock).toBeUndefined()
      await pass(200)
      await result.done
      expect(result.lock?.waitedFor).toBe(waitedFor)
    },
  )

  test.for<[what: string, text: string, who: string]>([
    [
      'its owner',
      textOf(elsewhere, 'http://box:4600'),
      'process 7 on box, in another container or machine, listening at http://box:4600',
    ],
    ['someone', 'nothing', 'another process'],
  ])('is refused when %s touches it', async ([, text, who], { store, lock, pass }) => {
    writeFileSync(`${store}.lock`, text)
    const result = lock()
    await pass(3000)
    utimesSync(`${store}.lock`, 1, 1)
    await pass(200)
    await result.done
    expect(result.refused).toBe(inUse(store, who))
    expect(readFileSync(`${store}.lock`, 'utf8')).toBe(text)
  })

  test('is taken at once when it is unlocked meanwhile', async ({ store, lock, pass }) => {
    writeFileSync(`${store}.lock`, textOf(elsewhere))
    const result = lock()
    await pass(1000)
    rmSync(`${store}.lock`)
    await pass(200)
    await result.done
    expect(result.lock?.waitedFor).toBeUndefined()
  })

  test('is looked at again when it becomes the lock of another', async ({ store, lock, pass }) => {
    writeFileSync(`${store}.lock`, textOf(elsewhere))
    const result = lock()
    await pass(5000)
    writeFileSync(`${store}.lock`, textOf({ ...elsewhere, id: 'next', pid: 8 }))
    await pass(5900)
    expect(result).toEqual({ done: result.done })
    await pass(1900)
    await result.done
    expect(result.lock?.waitedFor).toBe('process 8 on box')
  })

  test('that a process is about to take over is refused, and taken when that has ended in the middle', async ({
    folder,
    store,
    lock,
    pass,
  }) => {
    writeFileSync(`${store}.lock`, textOf({ ...GONE, pids_of: here() }))
    const runs = { ...GONE, id: 'heir', pid: 1, pids_of: here(), started: startOf(1) }
    writeFileSync(`${store}.lock.after-gone`, textOf(runs))
    const refused = lock()
    await refused.done
    expect(refused.refused).toBe(inUse(store, 'process 1'))
    writeFileSync(`${store}.lock.after-gone`, textOf({ ...runs, started: '1' }))
    const result = lock()
    await pass(1400)
    expect(result.lock).toBeUndefined()
    await pass(200)
    await result.done
    expect(result.lock?.waitedFor).toBeUndefined()
    expect(readdirSync(folder)).toEqual(['store.json.lock'])
  })

  test('is taken though two kills have left it and its succession half written', async ({
    folder,
    store,
    lock,
    pass,
  }) => {
    for (const name of ['lock', 'lock.after-unreadable']) writeFileSync(`${store}.${name}`, '{"id":')
    const result = lock()
    await pass(5900)
    expect(readdirSync(folder)).toEqual(['store.json.lock', 'store.json.lock.after-unreadable'])
    await pass(8200)
    await result.done
    expect(result.lock?.waitedFor).toBe('a process')
    expect(readdirSync(folder)).toEqual(['store.json.lock'])
  })

  test('that cannot be made is an error of the system', async ({ store, lock }) => {
    mkdirSync(`${store}.lock`)
    const result = lock()
    await result.done
    expect(result.refused).toMatch(/^EISDIR/)
    rmSync(`${store}.lock`, { recursive: true })
    // Nothing is held from before.
    await lock().done
    expect(existsSync(`${store}.lock`)).toBe(true)
  })
})

describe('a lock that is held', () => {
  test('is touched every second, until it is unlocked', async ({ store, lockStore, pass }) => {
    let beats = 0
    const lock = await lockStore(store, () => beats++)
    for (let second = 1; second <= 3; second++) {
      utimesSync(`${store}.lock`, 1, 1)
      await pass(1000)
      expect(statSync(`${store}.lock`).mtimeMs).toBeGreaterThan(1000)
      expect(beats).toBe(second)
    }
    lock.unlock()
    await pass(5000)
    expect(beats).toBe(3)
  })

  test.for<[what: string, spoil: (path: string) => void, why: RegExp]>([
    ['deleted', () => {}, /^its lock .*store\.json\.lock was deleted while the emulator was running$/],
    ['a folder', (path) => mkdirSync(path), /^its lock cannot be read: EISDIR/],
    [
      "another's",
      (path) => writeFileSync(path, textOf(elsewhere)),
      /^another process has taken over .*store\.json: this one was suspended for too long$/,
    ],
    ['empty', (path) => writeFileSync(path, ''), /^another process has taken over/],
  ])(
    'is lost when it is %s, which is known after a second and a half at most',
    async ([, spoil, why], { store, lockStore, pass }) => {
      const lock = await lockStore(store)
      rmSync(`${store}.lock`)
      spoil(`${store}.lock`)
      const left =
        existsSync(`${store}.lock`) && statSync(`${store}.lock`).isFile() ? readFileSync(`${store}.lock`) : null
      // It relies on its last look.
      expect(lock.lost()).toBeUndefined()
      await pass(999)
      expect(lock.lost()).toBeUndefined()
      await pass(1)
      expect(lock.lost()).toMatch(why)
      if (left) lock.answersAt('http://127.0.0.1:1')
      lock.unlock()
      if (left) expect(readFileSync(`${store}.lock`)).toEqual(left)
    },
  )

  test('is looked at again after a sleep, and got back when it is its own again', async ({
    store,
    lockStore,
    pass,
  }) => {
    let beats = 0
    const lock = await lockStore(store, () => beats++)
    const text = readFileSync(`${store}.lock`, 'utf8')
    rmSync(`${store}.lock`)
    vi.setSystemTime(Date.now() + 1500)
    expect(lock.lost()).toBeUndefined()
    vi.setSystemTime(Date.now() + 1)
    expect(lock.lost()).toContain('was deleted')
    expect(beats).toBe(1)
    writeFileSync(`${store}.lock`, text)
    expect(lock.lost()).toBeUndefined()
    expect(beats).toBe(2)
    await pass(0)
    lock.unlock()
    expect(existsSync(`${store}.lock`)).toBe(false)
  })
})
