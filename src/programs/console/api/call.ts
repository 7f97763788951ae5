import { signal } from '@preact/signals'
import type { CallOutline } from '../../../control/admin/call.js'
import type { CallName, CallResult } from '../../../control/admin/calls.js'
import { pathOfCall } from '../../../control/client/call-path.js'
import type { CallParts } from '../../../control/client/caller.js'
import type { Problem as ProblemDocument } from '../../../control/client/errors.js'
import { shellQuoted } from '../../../emulator/world/shell-quoted.js'
import type { Issue } from '../../../foundation/schema/issue.js'
import { report, reported } from './report.js'

type CallEntry = Pick<CallOutline, 'method' | 'path' | 'loses'>

/** Every control call as `GET ~/apps` (below `/_admin`), or `POST ~/reset loses` if it loses something: put here by the build, from the control API's table. */
declare const CALLS: Record<CallName, string>

export interface Call<N extends CallName = CallName> {
  /** Types the result; never set. */
  name?: N
  method: CallEntry['method']
  /** Path from `/_admin` on, with its query. */
  path: string
  body?: unknown
}

/** Returns the call with these parts. */
export function callOf<N extends CallName>(name: N, { params, query, body }: CallParts<N> = {}): Call<N> {
  const { method, path } = outlineOf(name)
  return { method, path: pathOfCall(path, params, query), body }
}

export const callNames = Object.keys(CALLS) as CallName[]

/** Returns method and path of a call, and whether it loses something. */
export function outlineOf(name: CallName): CallEntry {
  const [method, path = '', loses] = CALLS[name].replace('~', '/_admin').split(' ')
  return { method: method as CallEntry['method'], path, loses: loses !== undefined }
}

/** Returns the request line of a call, e.g. `GET /_admin/apps`. */
export function requestOf(name: CallName): string {
  const { method, path } = outlineOf(name)
  return `${method} ${path}`
}

/** A call that failed, with the emulator's RFC 9457 problem. control-api: rule 3 */
export class Problem extends Error {
  constructor(
    /** 0 without a response. */
    readonly status: number,
    message: string,
    readonly fields: Issue[] = [],
  ) {
    super(message)
  }
}

export const asProblem = (error: unknown): Problem => (error instanceof Problem ? error : new Problem(0, String(error)))

const TOKEN = 'mockademy-admin-token'

/** The folder that `_console` is in, so that the page also works behind a proxy that adds a path prefix. */
export const base = new URL('../', report ? `${report.url}/-/` : import.meta.url)

/** The setting `admin_token`, kept for this tab's session only. console: Serving */
export const adminToken = report ? undefined : (sessionStorage.getItem(TOKEN) ?? undefined)
/** Keeps another token, and reads everything again with it. */
export function changeToken(token: string): void {
  sessionStorage.setItem(TOKEN, token)
  location.reload()
}
/** True when the emulator asks for another token than `adminToken`. */
export const tokenRefused = signal(false)

/** Makes the call. @throws Problem when it is refused, or the emulator does not respond. */
export async function sendCall<N extends CallName>({ method, path, body }: Call<N>): Promise<CallResult<N>> {
  if (report) {
    const result = reported(path)
    if (result !== undefined) return result as CallResult<N>
    throw new Problem(404, 'This report does not contain that data.')
  }
  const response = await fetch(new URL(path.slice(1), base), {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(adminToken !== undefined && { authorization: `Bearer ${adminToken}` }),
    },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Problem(0, 'The emulator is not responding. Is it still running?')
  })
  const result: unknown = await response.json().catch(() => ({}))
  if (response.status === 401) tokenRefused.value = true
  if (!response.ok) {
    const { title, detail, errors } = result as ProblemDocument
    throw new Problem(response.status, detail ?? title ?? `The control API returned ${response.status}`, errors)
  }
  // A list is in `data`.
  const { data = result } = result as { data?: unknown }
  return data as CallResult<N>
}

/** The mark of a secret that the journal does not keep, also in a query. */
export const redacted = /\[redacted\]|%5Bredacted%5D/

/** Writes a word of a shell's command, with a variable for each redacted value, which is named after its field. */
export const shellWord = (text: string): string =>
  text
    .split(redacted)
    .map((part, index, { length }) => {
      const field = part.split(/[^a-z_]+/i).at(-2) || 'secret'
      return (part && shellQuoted(part)) + (index + 1 < length ? `"$${field.toUpperCase()}"` : '')
    })
    .join('') || "''"

/** Returns the request as a command for a terminal. @param headers and body as words of a shell. */
export const curl = (method: string, url: string, headers: string[], body: string | undefined): string =>
  [
    'curl',
    ...(method === 'HEAD' ? ['--head'] : method === 'GET' && body === undefined ? [] : ['-X', method]),
    // curl resolves dots in a path otherwise.
    ...(new URL(url).href === url ? [] : ['--path-as-is', '--globoff']),
    shellWord(url),
    ...headers.flatMap((header) => ['-H', header]),
    // curl has no body with --head.
    ...(body === undefined || method === 'HEAD' ? [] : ['--data-raw', body]),
  ].join(' ')

/** Returns the control call as a command; the admin token is a variable in it. */
export function curlOfCall({ method, path, body }: Call): string {
  const headers = adminToken === undefined ? [] : ['"Authorization: Bearer $MOCKADEMY_ADMIN_TOKEN"']
  const text = body === undefined ? undefined : shellQuoted(JSON.stringify(body))
  if (text) headers.push("'Content-Type: application/json'")
  return curl(method, new URL(path.slice(1), base).href, headers, text)
}

/** The flag with which commands reach this emulator, after a blank; empty for the default address. */
export const reach = base.origin === 'http://127.0.0.1:4600' ? '' : ` --url ${base.origin}`

/** Returns a command of `mockademy` that reaches this emulator. */
export const commandLine = (command: string) => `npx mockademy ${command}${reach}`

/** Returns a line whose commands of `mockademy` run where only the app's folder has it. */
export const withNpx = (line: string) => line.replace(/(^|[|&(] ?)(?=mockademy )/g, '$1npx ')

export const firstManifest = {
  id: 'my-app',
  name: 'My app',
  version: '1.0.0',
  permissions: ['courses:read', 'elements:read', 'openid', 'email'],
  oauth: { install: true, authorize: { redirect_uris: ['http://localhost:3000/callback'] } },
  webhook: { url: 'http://localhost:3000/webhook' },
}

const inboxManifest = {
  ...firstManifest,
  permissions: ['elements:read'],
  oauth: { install: true },
  // Over http, a webhook goes to this machine alone.
  webhook: /^(localhost|127\.0\.0\.1)$/.test(base.hostname) ? { url: `${base.href}_inbox/my-app` } : undefined,
}

/** The command that creates that app in short: an inbox gets its webhooks. */
export const createCommand = `echo '${JSON.stringify(inboxManifest)}' | ${commandLine('apps create -')}`

// Results of control calls that several files name. control-api: Shapes

export type World = CallResult<'world'>
export type Clock = CallResult<'clock'>
export type Organization = CallResult<'getOrganization'>
export type User = CallResult<'createUser'>
export type App = CallResult<'getApp'>
export type Installation = CallResult<'getInstallation'>
export type InstallResult = CallResult<'install'>
export type Token = CallResult<'listTokens'>[number]
export type SignedIn = CallResult<'signIn'>
export type Fault = CallResult<'addFault'>
export type Delivery = CallResult<'getDelivery'>
export type Entry = CallResult<'listRequests'>[number]
export type Coverage = CallResult<'getCoverage'>
export type Finding = CallResult<'listFindings'>[number]
export type Secrets = CallResult<'getAppSecrets'>
