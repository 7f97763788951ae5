import { capitalized } from '../../../src/programs/reports/capitalized.js'
import { markdownTable } from '../../../src/programs/reports/markdown.js'

/** A table of its own; without rows, nothing. */
export const tableOf = (heads: string[], rows: string[][]): string[] =>
  rows.length === 0 ? [] : ['', ...markdownTable(heads, rows)]

export const code = (text: string) => `\`${text}\``
export const codes = (texts: readonly string[]) => texts.map(code).join(', ')

/** A sentence of its own, where the tables leave capitals and full stops out. */
export const sentence = (text: string) => `${capitalized(text).replace(/\.$/, '')}.`
