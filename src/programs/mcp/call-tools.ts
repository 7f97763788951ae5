import type { Call } from '../../control/admin/call.js'
import { callTable } from '../../control/admin/call-table.js'
import { type CallName, calls } from '../../control/admin/calls.js'
import { type InputSchema, inputSchemaOf } from '../../control/admin/input-schema.js'
import type { CallParts } from '../../control/client/caller.js'
import { didYouMean } from '../../foundation/schema/did-you-mean.js'
import { type BoundCaller, type Tool, ToolFailure } from './composed-tool.js'

type Json = Record<string, unknown>

const schemaOf: Record<string, string> = {
  'a fixture document': 'Fields: mockademy/fixtures/schema.json.',
  'a scenario': 'Fields: mockademy/fixtures/scenario.schema.json.',
}

/** Makes a tool of a control call. control-api: "CLI" (`mcp`) */
export function toolOf(name: CallName): Tool {
  const { method, summary, note, uncheckedBody }: Call = calls[name]
  const { params, fields, required, definitions } = argumentsOf(name)
  const reads = method === 'GET'
  return {
    description: [`${summary}.`, note, uncheckedBody && schemaOf[uncheckedBody]].filter(Boolean).join(' '),
    inputSchema: {
      type: 'object',
      properties: { ...Object.fromEntries(params.map((param) => [param, { type: 'string' }])), ...fields },
      required: [...params, ...required],
      additionalProperties: false,
      ...(definitions && { $defs: definitions }),
    },
    annotations: {
      readOnlyHint: reads,
      destructiveHint: callTable[name].loses === true,
      idempotentHint: reads || method === 'PUT' || method === 'DELETE',
      openWorldHint: false,
    },
    run: (given, { call }) => makeCall(call, name, given),
  }
}

/** Makes a call with a tool's arguments. @returns its result as the control API presents it: a list is in `data`. @throws ToolFailure */
export async function makeCall(call: BoundCaller, name: CallName, given: Json): Promise<Json> {
  const result: unknown = await call(name, partsOf(name, given))
  return Array.isArray(result) ? { data: result } : (result as Json)
}

/** @throws ToolFailure for wrong names: the emulator checks values, and says more. */
function partsOf(name: CallName, given: Json): CallParts<CallName> {
  const { params, fields, nested } = argumentsOf(name)
  const known = [...params, ...Object.keys(fields)]
  const unknown = Object.keys(given).filter((field) => !known.includes(field))
  const missing = params.filter((param) => typeof given[param] !== 'string' || given[param] === '')
  const issues = [
    ...unknown.map((path) => ({ path, message: `is not an argument of ${name}${didYouMean(path, known)}` })),
    ...missing.map((path) => ({ path, message: 'is required, as a string' })),
  ]
  if (issues.length > 0) throw new ToolFailure(`${name} was not called`, issues)
  const rest = Object.fromEntries(Object.entries(given).filter(([field]) => !params.includes(field)))
  const { query, body }: Call = calls[name]
  return {
    params: Object.fromEntries(params.map((param) => [param, String(given[param])])),
    ...(query && { query: rest }),
    ...(body && { body: nested ? rest.body : rest }),
  } as CallParts<CallName>
}

/** Returns the names in the path of a call, and the fields of its query or body. */
function argumentsOf(name: CallName) {
  const call: Call = calls[name]
  const params = Object.keys(callTable[name].names)
  const { $defs: definitions, ...schema } = inputSchemaOf(call) ?? { properties: {}, required: [] }
  const { properties, required } = schema
  // A whole fixture document would fill an agent's memory: it has a schema of its own.
  if (call.uncheckedBody) return { params, fields: shallow(properties), required: [], nested: false }
  // A body with any fields is one argument, so that no field of it can be taken for a name.
  const nested = call.body !== undefined && schema.additionalProperties !== false
  if (nested) return { params, fields: { body: schema }, required: ['body'], nested, definitions }
  return { params, fields: properties, required, nested, definitions }
}

const shallow = (properties: InputSchema['properties']): InputSchema['properties'] =>
  Object.fromEntries(Object.entries(properties).map(([field, { type }]) => [field, type === undefined ? {} : { type }]))
