import { type Status, statuses } from './report.js'

export interface TerminalStyle {
  color: boolean
  /** Columns; infinite where standard output is no terminal. */
  width: number
}

/** Returns the colors and the width of standard output, unless NO_COLOR and COLUMNS say otherwise. */
export const outputStyle = (): TerminalStyle => ({
  color: process.stdout.isTTY === true && !process.env.NO_COLOR,
  width: Number(process.env.COLUMNS) || process.stdout.columns || Number.POSITIVE_INFINITY,
})

/** Folds a text between its words. @param indent columns before each line but the first, which the caller begins. */
export function folded(text: string, indent: number, { width }: TerminalStyle): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`)
}

export const painted = (text: string, status: Status, { color }: TerminalStyle): string =>
  color ? `\x1b[${statuses[status].color}m${text}\x1b[0m` : text
