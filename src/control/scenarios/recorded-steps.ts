import { isSecretName } from '../../emulator/journal/redact.js'
import type { Exchange } from '../../emulator/world/exchange.js'
import type { World } from '../../emulator/world/world.js'
import { bearerOf } from '../../foundation/http/bearer.js'
import { RouteTable } from '../../foundation/http/route-table.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { callNames, callTable } from '../admin/call-table.js'
import type { CallName } from '../admin/calls.js'
import { type StepKind, stepKinds } from '../admin/scenario-schemas.js'
import { bodyOf, type RecordedValues } from './recorded-values.js'
import { literal } from './references.js'
import { definitionOf, stepBodyOf } from './steps.js'

/** An exchange as a step, or the reason why it is left out. */
export type StepDraft = { kind?: StepKind; name?: string; step?: Record<string, unknown>; why?: string }

/** Calls whose bodies may omit secrets, which the emulator then generates. */
const maySkipSecrets: CallName[] = ['addFixtures', 'createApp']
/** Calls that a scenario cannot make, and why. */
const impossible: Partial<Record<CallName, string>> = {
  putState: 'a whole world contains secrets; start from fixtures instead',
  runScenario: 'a scenario cannot run another one',
}

const UNKNOWN = 'it contains a secret, or a value from a step that was left out, and a recording cannot refer to either'

/** Returns the step that repeats an exchange. */
export function stepOf(exchange: Exchange, values: RecordedValues, world: Pick<World, 'store'>): StepDraft {
  if (exchange.surface !== 'admin') return requestStep(exchange, values, world)
  const { status, method, path, request } = exchange
  const call = calls.find(`/${method}${path}`)
  if (call === undefined || call === 'undecodable') return { why: 'this control call does not exist' }
  const why = impossible[call.target]
  if (why !== undefined) return { why }
  if (status === null || status >= 400) return { why: `it failed with status ${status}` }
  const sent = bodyOf(request)
  const given = maySkipSecrets.includes(call.target) ? omitSecrets(sent) : sent
  for (const kind of stepKinds) {
    const step = definitionOf(kind)
    if (!('call' in step) || step.call !== call.target) continue
    const body = withReferences(stepBodyOf(step, call.params, given ?? {}), values)
    return body === undefined ? { kind, why: UNKNOWN } : { kind, step: { [kind]: body } }
  }
  return requestStep(exchange, values, world, given)
}

/** Every control call by its path, with its method as the first segment. */
const calls = new RouteTable<CallName>()
for (const name of callNames) calls.add(`/${callTable[name].method}${callTable[name].path}`, name)

function requestStep(exchange: Exchange, values: RecordedValues, world: Pick<World, 'store'>, given?: unknown) {
  const kind = 'request' as const
  const { method, path, search, status, request } = exchange
  const type = String(request.headers['content-type'] ?? '')
  const content = given ?? contentOf(request)
  const sent = typeof content === 'string' || !/^application\/json\b/i.test(type) ? type : ''
  const { as, header } = credentialOf(exchange, world)
  const headers = {
    ...(sent && content !== undefined && { 'Content-Type': sent }),
    ...(header && { Authorization: header }),
    ...(request.headers.cookie && { Cookie: request.headers.cookie }),
  }
  const body = {
    ...(method !== (content === undefined ? 'GET' : 'POST') && { method }),
    path: path + (search && `?${search}`),
    ...(as !== undefined && { as }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(content !== undefined && { body: content }),
  }
  const step = withReferences(body, values)
  if (step === undefined) return { kind, why: UNKNOWN }
  return { kind, step: { request: step, expect: { status } } }
}

function credentialOf({ request }: Exchange, { store }: Pick<World, 'store'>) {
  const key = bearerOf(request.headers)
  const organization = key === undefined ? undefined : store.organizations.by('api_key', key)
  return organization ? { as: organization.id } : { header: request.headers.authorization }
}

function contentOf(request: Exchange['request']): unknown {
  const text = request.body?.toString() ?? ''
  if (text === '') return undefined
  const value = bodyOf(request)
  return isObject(value) || Array.isArray(value) ? value : text
}

/** Returns the value with references; undefined when something in it cannot be written. */
function withReferences(value: unknown, values: RecordedValues): unknown {
  let isWritable = true
  const write = (part: unknown): unknown => {
    if (typeof part === 'string') {
      const text = values.written(part)
      if (text === undefined) isWritable = false
      return text
    }
    if (Array.isArray(part)) return part.map(write)
    if (!isObject(part)) return part
    // A run resolves no references in names.
    if (Object.keys(part).some((key) => values.written(key) !== literal(key))) isWritable = false
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, write(inner)]))
  }
  const made = write(value)
  return isWritable ? made : undefined
}

/** Returns a copy without the fields that hold secrets, and without the objects that held nothing else. */
function omitSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(omitSecrets)
  if (!isObject(value)) return value
  const kept = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    if (isSecretName(key) && inner !== null) return []
    const own = omitSecrets(inner)
    const isEmptied = isObject(own) && Object.keys(own).length === 0 && Object.keys(inner as object).length > 0
    return isEmptied ? [] : [[key, own]]
  })
  return Object.fromEntries(kept)
}
