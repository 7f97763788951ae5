import type * as z from 'zod'
import { lowerCaseNames } from '../../foundation/http/header-fields.js'
import { jsonOrText } from '../../foundation/http/json-or-text.js'
import { isObject } from '../../foundation/schema/is-object.js'
import type { stepBodies } from '../admin/scenario-schemas.js'
import { hasReference } from './references.js'
import type { ScenarioContext } from './scenario.js'
import { StepFailure } from './step-failure.js'

/** Real milliseconds: an app may wait for a platform that hangs. */
const REQUEST_TIMEOUT_MS = 30_000

/** A response; its `status` is null when there was none. */
export interface StepResponse {
  status: number | null
  headers: Record<string, string>
  /** The JSON value, or the text when it is not JSON. */
  body: unknown
  error?: string
}

type RequestBody = z.output<typeof stepBodies.request>
type VisitBody = z.output<typeof stepBodies.visit>

/** Sends a request to the emulator. @throws StepFailure for an organization without an API key. */
export async function sendRequest({ method, path, headers, body, as }: RequestBody, context: ScenarioContext) {
  const credential = as === undefined ? tokenFor(path, context) : apiKeyOf(as, context)
  const own: Record<string, string> = credential === undefined ? {} : { authorization: `Bearer ${credential}` }
  const sending = { method, url: context.url + path, headers: { ...own, ...lowerCaseNames(headers) }, body }
  return [await send(sending, context)]
}

/** Sends a request to the app under test, `at_once` times side by side. @throws StepFailure for an app whose address is not known. */
export async function sendVisit({ url, app, method, headers, body, at_once = 1 }: VisitBody, context: ScenarioContext) {
  const address = app === undefined ? url : (await originOf(app, context)) + url
  if (!URL.canParse(address)) throw new StepFailure(`visit.url ${JSON.stringify(address)} is not a URL`)
  const sending = { method, url: address, headers: lowerCaseNames(headers), body }
  return Promise.all(Array.from({ length: at_once }, () => send(sending, context)))
}

/** Returns the issue of a `visit` whose URL cannot be requested. */
export function visitIssues(body: unknown): { field: string; message: string }[] {
  const { url, app } = (isObject(body) ? body : {}) as { url?: unknown; app?: unknown }
  if (typeof url !== 'string' || url === '' || hasReference(url)) return []
  const issue = (message: string) => [{ field: 'url', message }]
  const isPath = url.startsWith('/')
  if (app !== undefined) return isPath ? [] : issue('must be a path that starts with /, because app is given')
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return []
  return issue(`must be an http or https URL${isPath ? '; for a path, also give app' : ''}`)
}

/** Returns the admin token for a request to the control API, so that a scenario need not contain it. */
const tokenFor = (path: string, { world }: ScenarioContext) =>
  path.startsWith('/_admin') ? world.settings.admin_token : undefined

function apiKeyOf(organization: string, { world }: ScenarioContext): string {
  const key = world.store.organizations.get(organization)?.api_key
  if (typeof key === 'string') return key
  const how = `POST /_admin/organizations/${organization}/api-key generates one`
  if (key === null) throw new StepFailure(`${organization} has no API key; ${how}`)
  throw new StepFailure(`there is no organization ${JSON.stringify(organization)}`)
}

async function originOf(app: string, { call }: ScenarioContext): Promise<string> {
  const { versions } = await call('getApp', { params: { app } })
  const manifest = versions.at(-1)?.manifest
  const url = manifest?.webhook?.url ?? manifest?.post_install_action?.url
  if (url === undefined) throw new StepFailure(`the manifest of ${app} has no webhook: give the full URL in visit.url`)
  return new URL(url).origin
}

type Sending = Pick<VisitBody, 'method' | 'url' | 'body'> & { headers: Record<string, string> }

async function send({ method, url, headers, body }: Sending, { client }: ScenarioContext): Promise<StepResponse> {
  const type =
    headers['content-type'] ?? (body === undefined || typeof body === 'string' ? undefined : 'application/json')
  const { status, error, response } = await client({
    method: (method ?? (body === undefined ? 'GET' : 'POST')).toUpperCase(),
    url,
    headers: { ...headers, ...(type && { 'content-type': type }) },
    body: textOf(body, type),
    timeout: REQUEST_TIMEOUT_MS,
  })
  const { headers: fields, body: text, cookies } = response
  return {
    status: error === null ? status : null,
    headers: cookies.length > 0 ? { ...fields, 'set-cookie': cookies.join(', ') } : fields,
    body: /json/i.test(fields['content-type'] ?? '') ? jsonOrText(text) : text,
    ...(error !== null && { error }),
  }
}

function textOf(body: unknown, type = ''): string | undefined {
  if (body === undefined || typeof body === 'string') return body
  if (!/x-www-form-urlencoded/i.test(type) || !isObject(body)) return JSON.stringify(body)
  return new URLSearchParams(body as Record<string, string>).toString()
}
