import { randomInt } from 'node:crypto'
import type { GivenSettings } from '../../../emulator/world/setting-table.js'
import { wrongUse } from './command-failure.js'
import { table } from './table.js'

/** The result of a run under liberties. */
export interface LibertyRun {
  status: number
  /** The liberties that were taken, each with the first exchange that met it. */
  touched: ReadonlyMap<string, string>
}

/** Runs the command once, under other settings. */
export type RunOnce = (settings: GivenSettings) => Promise<LibertyRun>

/** The most runs that one call asks for. */
const MOST_SEEDS = 1000

/** Returns the seeds of `7`, `random` or `1..20`. @throws CommandFailure 2 for a range that is none. */
export function seedsIn(text: string): string[] {
  if (text === 'random') return [String(randomInt(1_000_000))]
  const [, first, last] = /^(\d+)\.\.(\d+)$/.exec(text) ?? []
  if (first === undefined) return [text]
  const count = Number(last) - Number(first) + 1
  if (count >= 1 && count <= MOST_SEEDS)
    return Array.from({ length: count }, (_, index) => String(Number(first) + index))
  throw wrongUse(`--liberties "${text}": must be a range of 1 to ${MOST_SEEDS} seeds, such as 1..20`)
}

/**
 * Runs the command once a seed and prints a table of them.
 * @returns the status of the first run that failed; 0 when none did.
 */
export async function runSeeds(
  seeds: string[],
  run: RunOnce,
  { bail, why, print }: { bail: boolean; why: boolean; print: (text: string) => void },
): Promise<number> {
  const rows: string[][] = []
  let first: { seed: string; result: LibertyRun } | undefined
  for (const seed of seeds) {
    const result = await run({ liberties: seed })
    rows.push([seed, String(result.status), [...result.touched.keys()].join(' ') || 'none'])
    if (result.status !== 0) first ??= { seed, result }
    if (isInterrupted(result.status)) return result.status
    if (first && bail) break
  }
  if (seeds.length > 1) print(table(['seed', 'status', 'liberties taken'], rows).join('\n'))
  if (first && why) print(await explain(first.seed, first.result, run))
  return first?.result.status ?? 0
}

/** True for the status of a command that SIGHUP, SIGINT or SIGTERM ended. */
const isInterrupted = (status: number) => [129, 130, 143].includes(status)

/** Finds out which of the liberties of a failed run make it fail, and says so. */
async function explain(seed: string, failed: LibertyRun, run: RunOnce): Promise<string> {
  if ((await run({ liberties: '' })).status !== 0) return 'Why: the command fails without liberties too.'
  let latest = failed
  const names = await smallestFailing([...failed.touched.keys()], async (some) => {
    const result = await run({ liberties: seed, liberty_kinds: some })
    if (result.status !== 0) latest = result
    return result.status !== 0
  })
  if (names.length === 0) return `Why: with seed ${seed} the command failed once, and not again.`
  const lines = names.map((name) => `  ${name}, first met by ${latest.touched.get(name) ?? 'no exchange'}`)
  return `Why: with seed ${seed} the command fails under\n${lines.join('\n')}`
}

/**
 * Returns a smallest part of a list that fails: no item of it can be left out. Halves are tried first.
 * @returns an empty list when the whole does not fail again.
 */
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
