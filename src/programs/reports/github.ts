import { markdownTable, type Table } from './markdown.js'
import type { Report, Status } from './report.js'

/** A line of a log that GitHub shows beside the code or above the job. */
export interface Annotation {
  level: 'error' | 'warning'
  title: string
  message: string
  file?: string
  line?: number
}

/** Returns the workflow command that makes an annotation. Its escapes are those of actions/toolkit. */
export function workflowCommand({ level, message, ...properties }: Annotation): string {
  const given = Object.entries(properties).map(([name, value]) => `${name}=${escapedProperty(String(value))}`)
  return `::${level} ${given.join(',')}::${escapedData(message)}`
}

const levels: Partial<Record<Status, Annotation['level']>> = { fail: 'error', inconclusive: 'error', warn: 'warning' }

export const annotationsOf = ({ suites }: Report): Annotation[] =>
  suites.flatMap(({ results }) =>
    results.flatMap(({ id, status, message }) => {
      const level = levels[status]
      return level ? [{ level, title: id, message }] : []
    }),
  )

const escapedData = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapedProperty = (text: string) => escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** A run in a few lines, for the page of a job. */
export interface JobSummary {
  /** The command, as in `mockademy audit`, and what it was run on. */
  title: string
  passed: boolean
  /** `2 passed, 1 failed` */
  counts: string
  /** Results that did not pass, or parts of the whole. */
  table: Table
}

const MAX_ROWS = 50

/** Returns a summary as Markdown. Names and messages are text: none is markup. */
export function jobSummary({ title, passed, counts, table }: JobSummary): string {
  const rows = table.rows.slice(0, MAX_ROWS).map((row) => row.map(plain))
  const left = table.rows.length - rows.length
  return [
    `### ${passed ? '✓' : '✗'} ${plain(title)}`,
    '',
    `${plain(counts)}.`,
    '',
    ...(rows.length > 0 ? [...markdownTable(table.heads, rows), ''] : []),
    ...(left > 0 ? [`${left} more.`, ''] : []),
    '',
  ].join('\n')
}

/** Escapes all that Markdown and HTML read; `markdownTable` escapes bars, and what ends a line is a blank. */
const plain = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it finds them
  text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').replace(/[!-/:-@[-`{}~]/g, '\\$&')
