/** Text in a cell of a table: one line, its bars escaped. */
const cell = (text: string) => text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')

/** A table; without rows, nothing. */
export function tableOf(heads: string[], rows: string[][]): string[] {
  if (rows.length === 0) return []
  const line = (cells: string[]) => `| ${cells.map(cell).join(' | ')} |`
  return ['', line(heads), line(heads.map(() => '---')), ...rows.map(line)]
}

export const code = (text: string) => `\`${text}\``
export const codes = (texts: readonly string[]) => texts.map(code).join(', ')

/** A sentence of its own, where the tables leave capitals and full stops out. */
export const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`
