import type { FaultBody } from '../context/tenant.js'

/** An addition to a response, and how the app gets to see it. */
export interface Addition extends Pick<FaultBody, 'match' | 'effect'> {
  what: string
  /** It is made to the response to a refresh. */
  refreshes?: boolean
  /** It is made to a list of elements. */
  isListed?: boolean
  /** Advice appended to the message if the app never saw it. */
  advice?: string
}

const AT = '2026-01-01T00:00:00.000Z'
/** wire: §4 "element" */
const hologram = {
  id: 'auditelement0001',
  object: 'element',
  name: 'From the future',
  content: '',
  type: 'HOLOGRAM',
  position: 0,
  module: 'auditmodule00001',
  course: 'auditcourse00001',
  cover: null,
  metadata: {},
  properties: { hologram_url: 'https://holograms.test/1' },
  created_at: AT,
  updated_at: AT,
}

/** Changes of responses that a client must tolerate, because a later version of the platform may make them. */
export const additions: Addition[] = [
  {
    what: 'unknown fields of /v0',
    match: { surface: 'api' },
    advice: '; point the probe to a page that calls /v0',
    effect: { merge: { audit_extra: { a: [1] }, payload: { audit_extra: null } } },
  },
  {
    what: 'a token response that has "token_type": "bearer" and an unknown field, and no "expires_in"',
    match: { surface: 'oauth', grant_type: 'refresh_token' },
    refreshes: true,
    effect: { merge: { token_type: 'bearer', audit_extra: true }, omit: ['expires_in'] },
  },
  {
    what: 'an element of an unknown type',
    match: { surface: 'api', path: '/v0/elements' },
    isListed: true,
    advice: '; declare "list" for a page that shows elements',
    effect: { body: { error: null, payload: { data: [hologram], next: null } } },
  },
]
