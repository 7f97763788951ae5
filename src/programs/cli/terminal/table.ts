import { visible } from '../../reports/visible.js'

/** Returns a line for each row, its columns as wide as their widest cell. All rows have as many cells as the first. */
export function table(rows: string[][]): string[] {
  const lines = rows.map((row) => row.map(visible))
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length))) ?? []
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
