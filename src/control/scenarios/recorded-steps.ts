import { isSecret } from '../../emulator/journal/redact.js'
import type { Exchange } from '../../emulator/world/exchange.js'
import type { World } from '../../emulator/world/world.js'
import { RouteTable } from '../../foundation/http/route-table.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { callNames, callTable } from '../admin/call-table.js'
import type { CallName } from '../admin/calls.js'
import type { StepKind } from '../admin/scenario-schemas.js'
import { type ControlStep, controlSteps } from './control-steps.js'
import { bodyOf, type RecordedValues } from './recorded-values.js'

/** An exchange as a step, or why it is none. */
export type StepDraft = { kind?: StepKind; name?: string; step?: Record<string, unknown>; why?: string }

/** Calls whose bodies may leave secrets out: the emulator then makes others. */
const maySkipSecrets: CallName[] = ['addFixtures', 'createApp']
/** Calls that make no sense in a scenario. */
const never: Partial<Record<CallName, string>> = {
  putState: 'a whole world contains secrets; start from fixtures instead',
  runScenario: 'a scenario cannot run another one',
}

/** What another run cannot do: say what it does not know. */
const UNKNOWN = 'it contains a secret, or a value from a step that was left out, and a recording cannot refer to either'

/** The step that does again what an exchange did. */
export function stepOf(exchange: Exchange, values: RecordedValues, world: World): StepDraft {
  if (exchange.surface !== 'admin') return requestStep(exchange, values, world)
  const { status, method, path, request } = exchange
  const call = callAt(method, path)
  const why = call ? never[call.name] : 'this control call does not exist'
  if (!call || why !== undefined) return { why: why as string }
  if (status === null || status >= 400) return { why: `it failed with status ${status}` }
  const sent = bodyOf(request)
  const given = maySkipSecrets.includes(call.name) ? withoutSecrets(sent) : sent
  const kind = kindOf(call.name)
  if (!kind) return requestStep(exchange, values, world, given)
  const { step = (_: object, own: object) => own } = controlSteps[kind]
  const body = written(step(call.params, given ?? {}), values)
  if (body === undefined) return { kind, why: UNKNOWN }
  return { kind, step: { [kind]: body } }
}

const kindOf = (name: CallName): ControlStep | undefined =>
  (Object.keys(controlSteps) as ControlStep[]).find((kind) => controlSteps[kind].call === name)

/** Every control call by its method, as if that were the first segment of its path, and its path. */
const calls = new RouteTable<CallName>()
for (const name of callNames) calls.add(`/${callTable[name].method}${callTable[name].path}`, name)

function callAt(method: string, path: string): { name: CallName; params: Record<string, string> } | undefined {
  const found = calls.find(`/${method}${path}`)
  return found === undefined || found === 'undecodable' ? undefined : { name: found.target, params: found.params }
}

function requestStep(exchange: Exchange, values: RecordedValues, world: World, given?: unknown): StepDraft {
  const kind = 'request'
  const { method, path, search, status, request } = exchange
  const type = String(request.headers['content-type'] ?? '')
  const content = given ?? contentOf(request)
  const sent = typeof content === 'string' || !/^application\/json\b/i.test(type) ? type : ''
  const credential = credentialOf(exchange, world)
  const headers = {
    ...(sent && content !== undefined && { 'Content-Type': sent }),
    ...(credential?.header && { Authorization: credential.header }),
    ...(request.headers.cookie && { Cookie: request.headers.cookie }),
  }
  const body = {
    ...(method !== (content === undefined ? 'GET' : 'POST') && { method }),
    path: path + (search && `?${search}`),
    ...(credential?.as !== undefined && { as: credential.as }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(content !== undefined && { body: content }),
  }
  const step = written(body, values)
  if (step === undefined) return { kind, why: UNKNOWN }
  return { kind, step: { request: step, expect: { status } } }
}

/** The API key of an organization by its slug, anything else as it was sent. */
function credentialOf({ request }: Exchange, { store }: World): { as?: string; header?: string } | undefined {
  const header = request.headers.authorization
  if (typeof header !== 'string') return undefined
  const key = /^Bearer (.+)$/i.exec(header)?.[1]
  const organization = [...store.organizations.all].find(({ api_key }) => api_key !== null && api_key === key)
  return organization ? { as: organization.id } : { header }
}

/** A JSON value or a form as such, anything else as the text that it was. */
function contentOf(request: Exchange['request']): unknown {
  const text = request.body?.toString() ?? ''
  if (text === '') return undefined
  const value = bodyOf(request)
  return isObject(value) || Array.isArray(value) ? value : text
}

/** The value with references; undefined when something in it cannot be written. */
function written(value: unknown, values: RecordedValues): unknown {
  let isWritable = true
  const write = (part: unknown): unknown => {
    if (typeof part === 'string') {
      const text = values.written(part)
      if (text === undefined) isWritable = false
      return text
    }
    if (Array.isArray(part)) return part.map(write)
    return isObject(part) ? Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, write(inner)])) : part
  }
  const made = write(value)
  return isWritable ? made : undefined
}

/** A copy without the fields that hold secrets, and without the objects that held nothing else. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (!isObject(value)) return value
  const kept = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    if (isSecret(key) && inner !== null) return []
    const own = withoutSecrets(inner)
    return isObject(own) && isObject(inner) && Object.keys(own).length < 1 && Object.keys(inner).length > 0
      ? []
      : [[key, own]]
  })
  return Object.fromEntries(kept)
}
