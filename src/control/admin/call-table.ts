import { pathParameters } from '../../foundation/http/path-pattern.js'
import { type Call, type CallOutline, nameMeanings } from './call.js'
import { type CallName, calls } from './calls.js'

interface CallRow extends CallOutline {
  source: string
  /** The names in its path, in their order, with their meanings. */
  names: Record<string, string>
}

function rowOf(call: Call): CallRow {
  const { method, path, summary, status, list, open, bodyOptional, argument, command, source } = call
  const names = pathParameters(path).map(({ segment, name }) => [name, nameMeanings[segment] ?? ''])
  const loses = call.loses || method === 'PUT' || method === 'DELETE' || undefined
  const outline = { method, path, summary, status, list, open, loses, bodyOptional, argument, command, source }
  return { ...outline, names: Object.fromEntries(names) }
}

/**
 * Every control call without schemas and handler. The build computes this module and puts its value into the package
 * (scripts/build.js), so that clients and a start load neither.
 */
export const callTable = Object.fromEntries(
  Object.entries<Call>(calls).map(([name, call]) => [name, rowOf(call)]),
) as Record<CallName, CallRow>

export const callNames = Object.keys(callTable) as CallName[]
