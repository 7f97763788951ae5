import type { CoverageReport } from './report.js'

/** Changes each line of a report that closes a gap. */
export const mapLines = (report: CoverageReport, change: (line: string) => string): CoverageReport => ({
  ...report,
  groups: report.groups.map((group) => ({
    ...group,
    rows: group.rows.map(({ row, cells }) => ({
      row,
      cells: cells.map((cell) => ({ ...cell, closes: cell.closes && change(cell.closes) })),
    })),
  })),
})
