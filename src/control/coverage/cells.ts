import { isDeepStrictEqual } from 'node:util'
import { hasMark } from '../../emulator/world/exchange.js'
import type { CellCount, CoverageFilter } from '../../emulator/world/parts.js'

export interface Occasion {
  /** Id of the journal entry; null when no entry of its own shows it. */
  entry: number | null
  /** A timestamp of the wire. */
  at: string
  /** Names of the test and the step. */
  marks: string[] | undefined
  /** An audit, a sweep or a step of a scenario met it, and not the app under test. */
  byAudit: boolean
}

/** A period in which one test or step met a cell. The first and last are positions in the journal. */
interface Stretch {
  marks: string[] | undefined
  /** The number of times that the journal had been cleared. */
  era: number
  count: number
  first: number
  last: number
  lastAt: string
  entry: number | null
}

/** Stretches of a cell that are kept. The oldest ones are joined. */
const KEPT = 1_000
const SURPLUS = 100

/** Creates the counters of every app. Their memory is bounded, however many exchanges there are. */
export function createCells() {
  /** Keyed by app and cell; what audits met has cells of its own. */
  const cells = new Map<string, Stretch[]>()
  let era = 0
  let newest = 0

  function add(app: string, cell: string, { entry, at, marks, byAudit }: Occasion): void {
    // Without an entry of its own, it comes after the newest one.
    const position = entry ?? newest + 0.5
    const key = keyOf(app, cell, byAudit)
    const stretches = cells.get(key) ?? []
    if (stretches.length === 0) cells.set(key, stretches)
    let stretch = stretches.at(-1)
    const isMarkedAlike = stretch?.marks === marks || isDeepStrictEqual(stretch?.marks, marks)
    if (!stretch || stretch.era !== era || !isMarkedAlike) {
      stretch = { marks, era, count: 0, first: position, last: position, lastAt: at, entry: null }
      stretches.push(stretch)
      if (stretches.length > KEPT + SURPLUS) joinOldest(stretches, era)
    }
    stretch.count++
    stretch.last = position
    stretch.lastAt = at
    if (entry !== null) stretch.entry = entry
  }

  return {
    add,
    follow(entry: number) {
      newest = entry
    },
    clear: () => void era++,
    read(app: string, { since, mark, whole }: CoverageFilter): (cell: string) => CellCount {
      const sum = (cell: string, byAudit: boolean) => {
        const total: Pick<CellCount, 'count' | 'entry'> = { count: 0, entry: null }
        for (const stretch of cells.get(keyOf(app, cell, byAudit)) ?? []) {
          if (!whole && stretch.era !== era) continue
          if (mark !== undefined && !hasMark(stretch.marks, mark)) continue
          const count = countSince(stretch, since)
          if (count === 0) continue
          total.count += count
          total.entry = stretch.entry ?? total.entry
        }
        return total
      }
      return (cell) => ({ ...sum(cell, false), byAudit: sum(cell, true).count })
    },
  }
}

const keyOf = (app: string, cell: string, byAudit: boolean) => `${app} ${cell}${byAudit ? ' by audit' : ''}`

function countSince({ count, first, last, lastAt }: Stretch, since: CoverageFilter['since']): number {
  if (since === undefined) return count
  const isLastLater = typeof since === 'number' ? last > since : lastAt >= since
  if (!isLastLater) return 0
  // Of a stretch that began before, only the last time is known to be later.
  return typeof since === 'number' && first > since ? count : 1
}

/** Joins the oldest stretches into one of earlier eras and one of this era, which belong to no test. */
function joinOldest(stretches: Stretch[], era: number): void {
  const joined = new Map<boolean, Stretch>()
  for (const each of stretches.splice(0, SURPLUS)) {
    const { first, count, entry } = joined.get(each.era === era) ?? { ...each, count: 0 }
    const sum = { first, count: count + each.count, entry: each.entry ?? entry }
    joined.set(each.era === era, { ...each, ...sum, marks: undefined })
  }
  stretches.unshift(...joined.values())
}
