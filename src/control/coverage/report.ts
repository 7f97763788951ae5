import type { CoverageFilter } from '../../emulator/world/parts.js'
import { reachFlag } from '../../emulator/world/reach-flag.js'
import type { World } from '../../emulator/world/world.js'
import type { AppRecord } from '../../platform/apps/app-record.js'
import { type Closing, shellLine } from './closing.js'
import { groups, type Row, type RowsContext } from './rows.js'
import { subjectOf } from './subject.js'

type ReportWorld = Pick<World, 'coverage'> & RowsContext['world']
type Worlds = [ReportWorld, ...ReportWorld[]]

export type Counts = ReturnType<World['coverage']['met']>

/**
 * Returns what an app has met of the platform in all of these worlds, and how to meet the rest in the first.
 * @param earlier counts of worlds that are gone.
 */
export function coverageOf(worlds: Worlds, app: AppRecord, filter: CoverageFilter, earlier: Counts[] = []) {
  const [first] = worlds
  const found = Object.entries(cellsOf(worlds, app, filter, earlier)).map(([group, rows]) => ({
    group,
    ...shareOf(rows.flatMap(({ cells }) => cells)),
    rows: rows.map(({ row, cells }) => ({
      row,
      cells: cells.map(({ closing, ...cell }) => ({ ...cell, closes: cell.met ? null : reaching(first, closing) })),
    })),
  }))
  return { app: app.id, ...shareOf(found.flatMap(({ rows }) => rows).flatMap(({ cells }) => cells)), groups: found }
}

/** coverage: "Coverage" */
export type CoverageReport = ReturnType<typeof coverageOf>

/**
 * Returns the cells that an app has not met, with the steps of a scenario that does the same from the emulator's start;
 * undefined when none can.
 */
export function gapsOf(world: ReportWorld, app: AppRecord, filter: CoverageFilter) {
  const anywhere = { world, subject: subjectOf(world, app, true) }
  return Object.entries(cellsOf([world], app, filter)).flatMap(([group, rows]) => {
    const closings = new Map(groups[group]?.(anywhere).map(({ row, cells }) => [row, cells]))
    return rows.flatMap(({ row, cells }) =>
      cells
        .filter(({ met }) => !met)
        .map(({ column, closing }) => {
          const steps = closings.get(row)?.[column]
          return { group, row, column, line: reaching(world, closing), steps: Array.isArray(steps) ? steps : undefined }
        }),
    )
  })
}

/** Returns the countable cells, by group and row. A row without any is left out. */
function cellsOf(worlds: Worlds, app: AppRecord, filter: CoverageFilter, earlier: Counts[] = []) {
  const counts = [...worlds.map(({ coverage }) => coverage.met(app.id, filter)), ...earlier]
  const [world] = worlds
  const context = { world, subject: subjectOf(world, app) }
  const countCells = (group: string, { row, countedAs = row, isAllowed = true, cells }: Row) => ({
    row,
    cells: Object.entries(cells)
      .map(([column, closing]) => {
        const found = counts.map((count) => count(group, countedAs, column))
        const count = sum(found.map((each) => each.count))
        const by_audit = sum(found.map((each) => each.byAudit))
        const entry = found.find((each) => each.entry !== null)?.entry ?? null
        return { column, met: count > 0, count, by_audit, entry, closing }
      })
      .filter(({ met }) => isAllowed || met),
  })
  return Object.fromEntries(
    Object.entries(groups).map(([group, rowsOf]) => [
      group,
      rowsOf(context)
        .map((row) => countCells(group, row))
        .filter(({ cells }) => cells.length > 0),
    ]),
  )
}

/** Returns the line that closes a gap, with the emulator's address in each command that needs it. Quoted words stay as they are. */
const reaching = (world: ReportWorld, closing: Closing) =>
  shellLine(closing).replace(/'(?:[^']|'\\'')*'|\bmockademy(?= )/g, (word) =>
    word === 'mockademy' ? `${word}${reachFlag(world)}` : word,
  )

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)

/** Returns the share of cells that are met, from 0 to 1; 1 when there are none. */
function shareOf(cells: { met: boolean }[]) {
  const met = cells.filter((cell) => cell.met).length
  return { figure: cells.length === 0 ? 1 : met / cells.length, met, countable: cells.length }
}
