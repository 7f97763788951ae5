/** The look of results by status. Summaries count them in this order. */
export const statuses = {
  pass: { mark: '✓', color: 32, word: 'passed', junit: undefined },
  fail: { mark: '✗', color: 31, word: 'failed', junit: 'failure' },
  warn: { mark: '!', color: 33, word: 'with a warning', junit: 'system-out' },
  skip: { mark: '-', color: 90, word: 'skipped', junit: 'skipped' },
  inconclusive: { mark: '?', color: 35, word: 'inconclusive', junit: 'error' },
  accepted: { mark: '~', color: 36, word: 'accepted', junit: 'skipped' },
  invalid: { mark: '✗', color: 31, word: 'could not be read', junit: 'error' },
} as const

export type Status = keyof typeof statuses

/** A detail of a result: a labeled value, or a line of its own. */
export interface Fact {
  label?: string
  text: string
  /** Text as it went over the wire. */
  isCode?: boolean
  /** Part of the check's description, the same for every result. */
  isRule?: boolean
  /** Text to paste into a shell. */
  isCommand?: boolean
  /** Command that shows more. */
  command?: string
}

/** `Seen: status 401` */
export const factLine = ({ label, text }: Fact): string => (label === undefined ? text : `${label}: ${text}`)

export interface Result {
  /** Name with dots, like that of a class: tools for JUnit group by it. */
  group: string
  id: string
  title?: string
  status: Status
  /** Severity of a check, kind of a step. */
  type: string
  /** Empty for a pass. */
  message: string
  facts: Fact[]
  /** Real milliseconds. */
  duration?: number
}

/** Results that belong together: those of one file, or of one program. */
export interface Suite {
  name: string
  results: Result[]
}

export interface Report {
  name: string
  suites: Suite[]
}

/** `2 passed, 1 failed` */
export function countStatuses(found: readonly Status[]): string {
  const counts = Object.entries(statuses).flatMap(([status, { word }]) => {
    const count = found.filter((each) => each === status).length
    return count > 0 ? [`${count} ${word}`] : []
  })
  return counts.join(', ')
}
