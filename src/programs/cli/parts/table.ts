import { visible } from '../../reports/visible.js'

/** Rows below a head, columns as wide as their widest cell. What a cell holds is visible. */
export function table(head: string[], rows: string[][]): string[] {
  const lines = [head, ...rows.map((row) => row.map(visible))]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
