import * as z from 'zod'
import { appCalls } from './apps.calls.js'
import { type Call, chapter, type InputOf, type ResultOf } from './call.js'
import { clockCalls } from './clock.calls.js'
import { coverageCalls } from './coverage.calls.js'
import { faultCalls } from './faults.calls.js'
import { findingCalls } from './findings.calls.js'
import { installationCalls } from './installations.calls.js'
import { journalCalls } from './journal.calls.js'
import { libertyCalls } from './liberties.calls.js'
import { organizationCalls } from './organizations.calls.js'
import { reportCalls } from './reports.calls.js'
import { sandboxCalls } from './sandboxes.calls.js'
import { scenarioCalls } from './scenarios.calls.js'
import { signInCalls } from './sign-in.calls.js'
import { tokenCalls } from './tokens.calls.js'
import { userCalls } from './users.calls.js'
import { webhookCalls } from './webhooks.calls.js'
import { worldCalls } from './world.calls.js'

/**
 * Every control call, under the name that it has in the typed client. Loaded with the first call; clients use
 * `call-table.ts` instead. control-api: all of it
 */
export const calls = {
  ...worldCalls,
  ...clockCalls,
  ...sandboxCalls,
  ...organizationCalls,
  ...userCalls,
  ...appCalls,
  ...installationCalls,
  ...tokenCalls,
  ...signInCalls,
  ...faultCalls,
  ...libertyCalls,
  ...webhookCalls,
  ...journalCalls,
  ...findingCalls,
  ...coverageCalls,
  ...reportCalls,
  ...scenarioCalls,
  adminDocument: chapter('preamble')('GET', '/_admin/openapi.json', {
    summary: 'This document',
    note: 'OpenAPI 3.1 of all control calls. It is large.',
    command: { line: 'openapi', shows: 'json' },
    response: z.looseObject({}),
    async handler(world): Promise<Record<string, unknown>> {
      const { adminDocument } = await import('./admin-document.js')
      return adminDocument(calls, world.addresses.base_url)
    },
  }),
}

type Calls = typeof calls
export type CallName = keyof Calls
export type PathOf<N extends CallName> = Calls[N]['path']
export type ArgumentOf<N extends CallName> = NonNullable<Calls[N]['argument']>
/** The query as a client gives it; undefined for a call without one. */
export type CallQuery<N extends CallName> = InputOf<Calls[N]['query']>
/** The body as a client gives it; undefined for a call without one. */
export type CallBody<N extends CallName> = InputOf<Calls[N]['body']>
/** The result of the client's method: an array for a list. */
export type CallResult<N extends CallName> = ResultOf<Calls[N]['response'], (Calls[N] & Call)['list']>
