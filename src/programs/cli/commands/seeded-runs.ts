import { randomInt } from 'node:crypto'
import type { GivenSettings } from '../../../emulator/world/setting-table.js'
import { shellQuoted } from '../../../emulator/world/shell-quoted.js'
import { wrongUse } from '../command/command.js'
import { table } from '../terminal/table.js'

export interface SeededRun {
  status: number
  /** The liberties that were taken, each with the first exchange that met it. */
  touched: ReadonlyMap<string, string>
  /** True if this process was asked to stop, as opposed to a command that died of a signal. */
  isInterrupted: boolean
}

export type RunOnce = (settings: GivenSettings) => Promise<SeededRun>

export const MAX_SEEDS = 1000

const RANGE = /^(\d+)\.\.(\d+)$/

/** Returns true for a range of seeds, such as `1..20`; one of a single seed is `7..7`. */
export const isRange = (text: string): boolean => RANGE.test(text)

/** Returns the seeds of `7`, `random` or `1..20`. @throws CommandFailure 2 for a range that is none. */
export function seedsIn(text: string): string[] {
  if (text === 'random') return [String(randomInt(1_000_000))]
  // A misspelt range is no seed: it would run once.
  if (!text.includes('..')) return [text]
  const [, first, last] = RANGE.exec(text) ?? []
  const count = Number(last) - Number(first) + 1
  if (count >= 1 && count <= MAX_SEEDS)
    return Array.from({ length: count }, (_, index) => String(Number(first) + index))
  throw wrongUse(`--liberties "${text}": must be a range of 1 to ${MAX_SEEDS} seeds, such as 1..20`)
}

/** Returns seeds for runs that are to differ. @throws CommandFailure 2 for a number of runs that is none. */
export function drawSeeds(count: number): string[] {
  if (!Number.isInteger(count) || count < 1 || count > MAX_SEEDS)
    throw wrongUse(`--repeat: must be a number of runs from 1 to ${MAX_SEEDS}`)
  const seeds = new Set<string>()
  while (seeds.size < count) seeds.add(String(randomInt(1_000_000)))
  return [...seeds]
}

interface SeededRuns {
  seeds: string[]
  /** A table was asked for, by a range or a number of runs. */
  isSeries: boolean
  setting: 'seed' | 'liberties'
  bail: boolean
  why: boolean
  /** Returns the command that repeats the run of a seed. */
  again: (seed: string) => string
  print: (text: string) => void
}

/** Runs the command once a seed, and prints a table of a series. @returns the status of the first that failed, or 0. */
export async function runSeeds({ seeds, isSeries, setting, bail, why, again, print }: SeededRuns, run: RunOnce) {
  const runs: { seed: string; result: SeededRun }[] = []
  for (const seed of seeds) {
    const result = await run({ [setting]: seed })
    runs.push({ seed, result })
    const failed = result.status !== 0
    if (failed && isSeries) print(`Seed ${seed} ended with ${result.status}. Again: ${again(seed)}`)
    if (result.isInterrupted || (bail && failed)) break
  }
  const failed = runs.filter(({ result }) => result.status !== 0)
  const [first] = failed
  const counts = `${runs.length - failed.length} passed, ${failed.length} failed${first ? `: ${failed.map(({ seed }) => seed).join(', ')}` : ''}`
  if (isSeries) {
    const rows = runs.map(({ seed, result: { status, touched } }) => [
      seed,
      status === 0 ? 'passed' : `failed with ${status}`,
      [...touched.keys()].join(' ') || 'none',
    ])
    const columns = setting === 'liberties' ? 3 : 2
    const lines = table([['seed', 'result', 'liberties taken'], ...rows].map((row) => row.slice(0, columns)))
    print([...lines, counts].join('\n'))
  }
  if (first && why && !runs.at(-1)?.result.isInterrupted) {
    const reason = await explain({ [setting]: first.seed }, first, run)
    if (reason) print(reason)
  }
  return { status: first?.result.status ?? 0, counts }
}

/** Finds out which liberties make a run fail. @param settings of that run. @returns undefined when it is interrupted. */
async function explain(
  settings: GivenSettings,
  { seed, result: failed }: { seed: string; result: SeededRun },
  run: RunOnce,
): Promise<string | undefined> {
  let latest = failed
  const fails = async (changed: GivenSettings) => {
    // An interrupted run proves nothing, and no other starts after it.
    if (latest.isInterrupted) return false
    const result = await run({ ...settings, ...changed })
    if (result.status !== 0 || result.isInterrupted) latest = result
    return result.status !== 0 && !result.isInterrupted
  }
  if (await fails({ liberties: '' })) return 'Why: the command fails without liberties too.'
  const names = await smallestFailing([...failed.touched.keys()], (some) => fails({ liberty_kinds: some }))
  if (names.length === 0 && !latest.isInterrupted)
    return `Why: with seed ${seed} the command failed once, and not again.`
  // A flaky command may have failed in these runs by chance.
  const when = (await fails({ liberty_kinds: names })) ? '' : ' now and then'
  const failsWithout = await fails({ liberties: '' })
  if (latest.isInterrupted) return undefined
  if (failsWithout) return 'Why: the command fails without liberties too, now and then.'
  const lines = names.map((name) => `  ${name}, first met by ${latest.touched.get(name) ?? 'no exchange'}`)
  return `Why: with seed ${seed} the command fails${when} under\n${lines.join('\n')}`
}

/** Returns a smallest part of a list that fails, halves first; an empty one when the whole does not fail again. */
export async function smallestFailing<T>(all: T[], fails: (some: T[]) => Promise<boolean>): Promise<T[]> {
  if (all.length === 0 || !(await fails(all))) return []
  let rest = all
  for (let parts = 2; rest.length > 1; ) {
    const size = Math.ceil(rest.length / parts)
    const chunks = Array.from({ length: Math.ceil(rest.length / size) }, (_, at) =>
      rest.slice(at * size, (at + 1) * size),
    )
    const others = parts > 2 ? chunks.map((chunk) => rest.filter((item) => !chunk.includes(item))) : []
    const smaller = await firstFailing([...chunks, ...others], fails)
    if (smaller) {
      parts = chunks.includes(smaller) ? 2 : Math.max(parts - 1, 2)
      rest = smaller
    } else if (parts >= rest.length) break
    else parts = Math.min(parts * 2, rest.length)
  }
  return rest
}

async function firstFailing<T>(parts: T[][], fails: (some: T[]) => Promise<boolean>): Promise<T[] | undefined> {
  for (const part of parts) if (await fails(part)) return part
  return undefined
}

/** Flags to remove from the repeated command, with the number of words of each. */
const REPLACED = new Map([
  ...['--seed', '--liberties', '--repeat'].map((flag) => [flag, 2] as const),
  ...['--until-failure', '--bail', '--why', '--no-bail', '--no-why'].map((flag) => [flag, 1] as const),
])

/** Returns the shell command for one run, with `replaced` instead of the flags for several runs. */
export function commandLineOf(argv: string[], replaced: Record<string, string>): string {
  const end = Object.keys(replaced).length > 0 ? argv.indexOf('--') : 0
  const kept: string[] = []
  for (let at = 0; at < end; at++) {
    const [name = '', value] = (argv[at] as string).split('=', 2)
    const words = REPLACED.get(name) ?? 0
    if (words === 0) kept.push(argv[at] as string)
    else if (value === undefined) at += words - 1
  }
  const seeds = Object.entries(replaced).flatMap(([name, seed]) => [`--${name}`, seed])
  return ['mockademy', ...kept, ...seeds, ...argv.slice(end)].map(shellQuoted).join(' ')
}
