import type { PlatformCall } from './platform-client.js'

/** A request that must be refused, and how. It changes nothing, even where it is not refused. */
export interface ExpectedRefusal {
  path: string
  /** The path without ids, for people. */
  route?: string
  call: PlatformCall
  /** The decision for the refusal as a whole. */
  section: string
  status: number
  /** `error` of the body, where a decision says what it is. */
  message?: { text: string; section: string }
  /** `WWW-Authenticate`, by parameter; true for any text. RFC 6750 */
  challenge?: Record<string, string | true>
  /** The path that `details` names. */
  detail?: string
  /** It carries `Allow`. */
  allow?: boolean
  /** Another answer than a refusal is right as well: an access token may have the scope. */
  mayPass?: boolean
}

const STATUSES = 'wire: §2 "statuses"'
const LISTS = ['courses', 'modules', 'elements', 'members', 'activities']
const unauthorized = { text: 'Unauthorized', section: STATUSES }
const notFound = { text: 'Resource not found', section: STATUSES }
const NOBODY = 'mockademy-unknown'

/**
 * Every refusal that is asked for. None needs a body, and those whose method could change something carry no credential.
 * @param token an access token: what it may not read is refused for its scope.
 */
export const refusalsFor = ({ token }: { token: string | undefined }): ExpectedRefusal[] => [
  {
    path: '/v0/courses',
    call: { credential: null },
    section: 'spec: §5.1',
    status: 401,
    message: unauthorized,
    challenge: {},
  },
  {
    path: '/v0/courses',
    call: { credential: 'mockademy-unknown-credential' },
    section: 'wire: §2 "bearer errors"',
    status: 401,
    message: unauthorized,
    challenge: { error: 'invalid_token', error_description: true },
  },
  {
    path: `/v0/courses/${NOBODY}`,
    route: '/v0/courses/{unknown}',
    call: { credential: null },
    section: 'wire: §2 "order of checks"',
    status: 401,
  },
  ...LISTS.map((list) => ({
    path: `/v0/${list}/${NOBODY}`,
    route: `/v0/${list}/{unknown}`,
    call: {},
    section: 'wire: §2 "404 or 400"',
    status: 404,
    message: notFound,
  })),
  { path: '/v0/mockademy-unknown', call: {}, section: STATUSES, status: 404, message: notFound },
  {
    path: '/v0/courses',
    route: '/v0/courses?page={unreadable}',
    call: { query: { page: 'mockademy unreadable cursor' } },
    section: 'wire: §2 "list payload"',
    status: 400,
    detail: 'page',
  },
  {
    path: '/v0/elements/search',
    route: '/v0/elements/search?type={unknown}',
    call: { query: { type: 'mockademy-unknown-type' } },
    section: 'spec: §4.7',
    status: 400,
    detail: 'type',
  },
  { path: '/v0/courses', call: { method: 'PUT', credential: null }, section: STATUSES, status: 405, allow: true },
  ...(token === undefined ? [] : LISTS).map((list) => ({
    path: `/v0/${list}`,
    route: `/v0/${list} (access token)`,
    call: { credential: token as string },
    section: 'spec: §5.2 rule 4',
    status: 403,
    message: { text: 'Insufficient scope', section: 'spec: §7' },
    challenge: { error: 'insufficient_scope', scope: `${list}:read` },
    mayPass: true,
  })),
]

/** The parameters of a `WWW-Authenticate: Bearer` header; undefined when it is of another scheme. */
export function readChallenge(header: string): Record<string, string> | undefined {
  const [, rest] = /^bearer\b\s*(.*)$/is.exec(header.trim()) ?? []
  if (rest === undefined) return undefined
  return Object.fromEntries([...rest.matchAll(/(\w+)\s*=\s*"([^"]*)"/g)].map(([, name, value]) => [name, value]))
}
