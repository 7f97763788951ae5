import type { Figure, Goal, Row, Unit } from './figures.js'
import type { Machine } from './machine.js'

/** The document that `--json` writes. Its shape grows, but what is there keeps its name. */
export interface Report {
  mockademy: string
  started_at: string
  /** Total duration. */
  seconds: number
  quick: boolean
  machine: Machine
  rows: Row[]
}

const spell = (value: number) =>
  Math.abs(value) >= 1000
    ? Math.round(value).toLocaleString('en-US')
    : value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3)

const withUnit = (value: number, unit: Unit) => (unit === 'count' ? spell(value) : `${spell(value)} ${unit}`)

const cells = ({ name, unit, median, min, max, rounds, ratio, beside = {} }: Figure): string[] => [
  name,
  withUnit(median, unit),
  spell(min),
  spell(max),
  String(rounds),
  ratio === undefined ? '' : ratio.toFixed(2),
  Object.entries(beside)
    .map(([what, value]) => `${what} ${spell(value)}`)
    .join(', '),
]

const goalLine = ({ text, value, met }: Goal) => `  goal: ${text}; measured ${spell(value)}: ${met ? 'met' : 'MISSED'}`

/** A row as text, its columns in line. */
export function rowText({ id, title, reference, figures, goals, notes }: Row): string {
  const head = ['', 'median', 'min', 'max', 'rounds', reference === undefined ? '' : 'ratio', '']
  const lines = figures.length === 0 ? [] : [head, ...figures.map(cells)]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const pad = (text: string, column: number) =>
    column === 0 || column === 6 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)
  return [
    `${id}: ${title}${reference === undefined ? '' : ` (ratios to ${reference})`}`,
    ...lines.map((line) => `  ${line.map(pad).join('  ')}`.trimEnd()),
    ...goals.map(goalLine),
    ...notes.map((note) => `  note: ${note}`),
    '',
  ].join('\n')
}

/** Summarizes the goals met and missed. */
export function summaryText(rows: readonly Row[]): string {
  const goals = rows.flatMap(({ id, goals }) => goals.map((goal) => ({ id, ...goal })))
  const missed = goals.filter(({ met }) => !met)
  return [
    `${goals.length - missed.length} of ${goals.length} goals met${missed.length > 0 ? '; missed:' : '.'}`,
    ...missed.map(({ id, text, value }) => `  ${id}: ${text}; measured ${spell(value)}`),
    '',
  ].join('\n')
}
