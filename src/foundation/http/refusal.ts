import { type ExplainedIssue, type Issue, MAX_ISSUES, type Warning } from '../schema/issue.js'
import type { Request } from './request.js'

/** Every reason to refuse a request, with the status of the response and its default message. wire: §2 */
export const refusals = {
  invalid: { status: 400, message: 'Validation failed' },
  malformed: { status: 400, message: 'The body is not valid JSON' },
  unauthorized: { status: 401, message: 'Unauthorized' },
  insufficient_scope: { status: 403, message: 'Insufficient scope' },
  forbidden: { status: 403, message: 'Forbidden' },
  not_found: { status: 404, message: 'Resource not found' },
  method_not_allowed: { status: 405, message: 'Method not allowed' },
  conflict: { status: 409, message: 'Conflict' },
  too_large: { status: 413, message: 'The body is too large' },
  unsupported_media_type: { status: 415, message: 'The body must be JSON in UTF-8 (Content-Type: application/json)' },
  rate_limited: { status: 429, message: 'Rate limit exceeded. Please try again later.' },
  internal: { status: 500, message: 'Internal server error' },
  unavailable: { status: 503, message: 'Service unavailable' },
  store_unwritable: { status: 507, message: 'The store cannot be written' },
} as const

export type RefusalName = keyof typeof refusals

export interface RefusalParts {
  /** Another status than the refusal's own: injected faults take any. */
  status?: number
  /** The message of the response; the refusal's default when left out. */
  message?: string
  details?: ExplainedIssue[]
  headers?: Record<string, string>
  /** The reason in more words, for the journal and problem details. Never holds a secret. */
  reason?: string
}

/** A refused request. Rules throw it by name; each surface writes it in its own error format. */
export class Refusal extends Error {
  readonly status: number
  readonly details: Issue[] | undefined
  readonly headers: Record<string, string>
  readonly reason: string | undefined
  /** Shown in the journal only. */
  warnings: Warning[] = []

  constructor(
    readonly refusal: RefusalName,
    { status, message, details, headers = {}, reason }: RefusalParts = {},
  ) {
    super(message ?? refusals[refusal].message)
    this.name = 'Refusal'
    this.status = status ?? refusals[refusal].status
    const issues = details && truncateDetails(details)
    this.details = issues?.map(({ path, message }) => ({ path, message }))
    this.headers = headers
    this.reason = reason ?? (issues?.some((issue) => issue.reason) ? describe(this.message, issues) : undefined)
  }

  get described(): string {
    return this.details?.length ? describe(this.message, this.details) : this.message
  }
}

function describe(summary: string, issues: ExplainedIssue[]): string {
  const lines = issues.map(({ path, message, reason }) =>
    `${path}${reason && path ? ':' : ''} ${reason ?? message}`.trim(),
  )
  return `${summary}: ${lines.join('; ')}`
}

/** Returns the details that a response lists, and how many more there are. wire: §2 "shape of a body" */
function truncateDetails(details: ExplainedIssue[]): ExplainedIssue[] {
  if (details.length <= MAX_ISSUES) return details
  const more = details.length - MAX_ISSUES
  return [...details.slice(0, MAX_ISSUES), { path: '', message: `and ${more} more` }]
}

export const KILOBYTE = 1024
export const MEGABYTE = 1024 * KILOBYTE

/** Rejects a body that was over its surface's limit. @throws Refusal 413 */
export function refuseTooLarge({ exceededLimit: limit }: Pick<Request, 'exceededLimit'>): void {
  if (limit === undefined) return
  const size = limit < MEGABYTE ? `${limit / KILOBYTE} KB` : `${limit / MEGABYTE} MB`
  throw new Refusal('too_large', { reason: `The body is larger than ${size}` })
}

/** Returns the refusal of a body or query with these issues. */
export const invalid = (details: ExplainedIssue[], message?: string) => new Refusal('invalid', { details, message })
