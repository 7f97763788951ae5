/** The lines of a Markdown table. */
export function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [row(heads), row(heads.map(() => '---')), ...rows.map(row)]
}

const row = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`

/** Text in a cell: one line, its bars escaped. */
const cell = (text: string) => text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')
