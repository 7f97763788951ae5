import type { CoverageReport } from '../../control/coverage/report.js'
import type { JobSummary } from './github.js'
import { markdownPage } from './markdown.js'
import { percentOf } from './percent.js'
import { visible } from './visible.js'

type Share = Pick<CoverageReport, 'figure' | 'met' | 'countable'>

/** `41 % (57 of 139)` */
const shareOf = ({ figure, met, countable }: Share) =>
  countable === 0 ? 'nothing to meet' : `${percentOf(figure)} % (${met} of ${countable})`

/** Returns the columns that were met, and those that were not. */
const columnsIn = (cells: { column: string; met: boolean }[]) =>
  [true, false].map((isMet) => cells.flatMap(({ column, met }) => (met === isMet ? [column] : [])).join(', '))

/** Writes the coverage for a terminal: a line for each row and, if asked for, how to close each of its gaps. */
export function coverageText({ app, groups, ...share }: CoverageReport, withGaps: boolean): string {
  const widest = Math.max(0, ...groups.flatMap(({ rows }) => rows.map(({ row }) => row.length)))
  const paragraphs = groups.map(({ group, rows, ...of }) => {
    const lines = rows.flatMap(({ row, cells }) => {
      const [met, notMet] = columnsIn(cells)
      const parts = [met && `met: ${met}`, notMet && `not met: ${notMet}`].filter(Boolean)
      const gaps = withGaps ? cells.filter((cell) => !cell.met) : []
      const lines = gaps.map(({ column, closes }) => `    ${column}: ${closes}`)
      return [`  ${row.padEnd(widest)}  ${parts.join('; ')}`, ...lines]
    })
    return [`${group}: ${shareOf(of)}`, ...lines].map(visible).join('\n')
  })
  return [visible(`Coverage of ${app}: ${shareOf(share)}`), ...paragraphs].join('\n\n')
}

export const coverageSummary = ({ app, groups, ...share }: CoverageReport, passed: boolean): JobSummary => ({
  title: `mockademy coverage of ${app}`,
  passed,
  counts: shareOf(share),
  table: { heads: ['group', 'met'], rows: groups.map(({ group, ...of }) => [group, shareOf(of)]) },
})

export const coverageMarkdown = ({ app, groups, ...share }: CoverageReport): string =>
  markdownPage({
    title: `Coverage of ${app}`,
    summary: shareOf(share),
    sections: groups.map(({ group, rows, ...of }) => ({
      title: `${group}: ${shareOf(of)}`,
      table: {
        heads: ['', 'Met', 'Not met'],
        rows: rows.map(({ row, cells }) => [row, ...columnsIn(cells)]),
      },
    })),
  })
