import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmulator } from 'mockademy'
import { describe, expect, test } from 'vitest'
import { send } from '../harness/emulator-test.js'
import { temporaryFolder } from '../harness/temporary-folder.js'

const dist = new URL('../../dist/index.js', import.meta.url).href
const program = fileURLToPath(new URL('sleeper/sleeper.mjs', import.meta.url))
const preload = fileURLToPath(new URL('sleeper/stop-at-step.cjs', import.meta.url))
const canUnshare = spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0

/** Owners that sleep at the same time, each for the 6 s after which it is succeeded. */
const AT_ONCE = 20
/** `npm run test:fencing` makes 100 stops, which takes minutes. */
const ROUNDS = Number(process.env.FENCING_STOPS ?? AT_ONCE)

/** An owner in a pid namespace of its own, where nobody can ask whether it runs. Not pid 1, which cannot be stopped. */
function startSleeper(store: string, environment: Record<string, string>) {
  const command = ['--pid', '--fork', '--mount-proc', '--kill-child', 'sh', '-c', '"$@"; exit $?', 'sh']
  const child = spawn('unshare', [...command, process.execPath, '--require', preload, program, dist, store], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...environment },
  })
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  const ended = once(child, 'close').then(([status]) => status as number | null)
  return { pid: child.pid as number, ended, answered: () => said.split('\n').slice(0, -1) }
}

/** The process of a sleeper as this machine knows it, once it has stopped; undefined when it ends without. */
async function stopped({ pid, ended }: ReturnType<typeof startSleeper>): Promise<number | undefined> {
  let isOver = false
  ended.then(() => {
    isOver = true
  })
  for (;;) {
    for (const descendant of childrenOf(pid).flatMap(childrenOf)) {
      if (/^State:\s+T/m.test(procFile(descendant, 'status'))) return descendant
    }
    if (isOver) return undefined
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const childrenOf = (pid: number) => procFile(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number)

function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

const slugs = async (url: string): Promise<string[]> =>
  (await send(`${url}/_admin/organizations`)).body.data.map(({ slug }: { slug: string }) => slug)

/** Stops an owner at a step, succeeds it, wakes it, and looks for every answered write of both. */
async function sleepThrough(step: string): Promise<'stopped' | 'ended before'> {
  const [folder, copied] = [temporaryFolder(), temporaryFolder()]
  const store = join(folder, 'store.json')
  const written: string[] = []
  const write = async (url: string, slug: string) => {
    expect((await send(`${url}/_admin/organizations`, { body: { slug, name: 'x'.repeat(1000) } })).status).toBe(201)
    written.push(slug)
  }
  const sleeper = startSleeper(store, { STOP_AT: step })
  const pid = await stopped(sleeper)
  if (pid === undefined) return 'ended before'
  // Some of what it must not destroy is in store.json alone, and some in the journal alone.
  const first = await startEmulator({ store, resume: true, fixtures: {} })
  for (const slug of ['heir0', 'heir1', 'heir2']) await write(first.url, slug)
  await first.close()
  const successor = await startEmulator({ store })
  for (const slug of ['heir3', 'heir4']) await write(successor.url, slug)
  process.kill(pid, 'SIGCONT')
  await sleeper.ended
  for (const slug of ['heir5', 'heir6']) await write(successor.url, slug)
  const answered = [...sleeper.answered(), ...written]

  // A kill now would leave these files.
  cpSync(folder, copied, { recursive: true, filter: (path) => !path.endsWith('.lock') })
  const copy = await startEmulator({ store: join(copied, 'store.json') })
  expect(await slugs(copy.url), step).toEqual(expect.arrayContaining(answered))
  await copy.close()

  await successor.close()
  expect(readdirSync(folder), step).toEqual(['store.json'])
  const again = await startEmulator({ store })
  expect(await slugs(again.url), step).toEqual(expect.arrayContaining(answered))
  await again.close()
  return 'stopped'
}

/** Every step that an owner makes on its files while it folds, writes on, and closes. */
async function stepsOfFold(): Promise<string[]> {
  const folder = temporaryFolder()
  const steps = join(folder, 'steps')
  await startSleeper(join(folder, 'store.json'), { STEPS: steps }).ended
  const counts = readFileSync(steps, 'utf8').trim().split('\n')
  return counts.flatMap((line) => {
    const [thread, count] = line.split(' ')
    return Array.from({ length: Number(count) }, (_, index) => `${thread}:${index + 1}`)
  })
}

describe.runIf(canUnshare)('an owner that sleeps through a takeover, stopped at any step of a fold', () => {
  test(`of ${ROUNDS} stops none loses an answered write, of it or its successor`, { timeout: 1_200_000 }, async () => {
    const steps = await stepsOfFold()
    expect(steps.filter((step) => step.startsWith('fold:')).length).toBeGreaterThan(4)
    const rounds = Array.from(
      { length: ROUNDS },
      (_, round) => steps[Math.floor((round * steps.length) / ROUNDS)] as string,
    )
    const results: string[] = []
    const queue = rounds.values()
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const step of queue) results.push(await sleepThrough(step))
      }),
    )
    // The number of writes during a fold varies, so a run may end before its stop is reached.
    expect(results.filter((result) => result === 'stopped').length).toBeGreaterThan(ROUNDS / 2)
  })
})
