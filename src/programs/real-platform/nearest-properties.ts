import type * as z from 'zod'
import type { ElementTypeName } from '../../emulator/world/element-type-names.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { elementTypes } from '../../platform/elements/element-types.js'
import { holderOf, remove, sweep } from './removal.js'

type Container = Record<string | number, unknown>
type Note = (field: string, what: string) => void
type Adjust = (holder: Container, key: string | number, issue: z.core.$ZodIssue) => boolean

/** A value takes no more rounds than it is deep, times the adjustments; this only bounds what cannot happen. */
const ROUNDS = 100

/**
 * The properties of an element, each one valid by its own schema or left out: numbers come into their range, unknown
 * fields go, a question of an unknown kind becomes a text question, and what cannot be converted is left out.
 */
export function nearestProperties(type: ElementTypeName, given: Record<string, unknown>, note: Note) {
  const { properties } = elementTypes[type]
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!property) note(`properties.${name}`, `is not a property of ${type}; left out`)
    else if (value === null) kept[name] = null
    else {
      const near = nearest(property.sent, value, (field, what) =>
        note(`properties.${[name, ...field].join('.')}`, what),
      )
      if (near !== undefined) kept[name] = near
    }
  }
  return kept
}

/** The nearest value that the schema takes; undefined when there is none. */
function nearest(schema: z.ZodType, value: unknown, note: (field: string[], what: string) => void): unknown {
  const root: Container = { value: structuredClone(value) }
  const tries = new WeakMap<object, Map<string | number, number>>()
  for (let round = 0; round < ROUNDS && 'value' in root; round++) {
    const issues = schema.safeParse(root.value).error?.issues
    if (!issues) return root.value
    for (const issue of issues) {
      const path = ['value', ...issue.path.filter((key) => typeof key !== 'symbol')]
      const holder = holderOf(root, path)
      const key = path.at(-1) as string | number
      // An earlier issue of this round has removed it.
      if (!holder) continue
      const tried = tries.get(holder)?.get(key) ?? 0
      tries.set(holder, new Map(tries.get(holder)).set(key, tried + 1))
      const field = path.slice(1).filter((part) => typeof part === 'string')
      if (tried === 0 && adjustments[issue.code]?.(holder, key, issue))
        note(field, 'is not valid here; changed to the nearest valid value')
      else {
        if (!remove(root, tried <= 1 ? path : path.slice(0, -1))) delete root.value
        note(field, 'is not valid here; left out')
      }
    }
    sweep(root)
  }
  return undefined
}

/** By what is wrong: changes the value, and says whether it could. */
const adjustments: Record<string, Adjust> = {
  too_big: (holder, key, issue) => clamp(holder, key, (issue as z.core.$ZodIssueTooBig).maximum),
  too_small: (holder, key, issue) => clamp(holder, key, (issue as z.core.$ZodIssueTooSmall).minimum),
  unrecognized_keys(holder, key, issue) {
    const object = holder[key]
    if (!isObject(object)) return false
    for (const name of (issue as z.core.$ZodIssueUnrecognizedKeys).keys) delete object[name]
    return true
  },
  invalid_type(holder, key, issue) {
    const value = holder[key]
    const isText = (issue as z.core.$ZodIssueInvalidType).expected === 'string'
    if (!isText || !['number', 'boolean'].includes(typeof value)) return false
    holder[key] = String(value)
    return true
  },
  /** A question of a kind that is not known. */
  invalid_union(holder, key) {
    if (key !== 'type' || typeof holder.text !== 'string') return false
    holder.type = 'TEXT'
    return true
  },
  custom(holder, key) {
    const value = holder[key]
    if (typeof value !== 'number' || Number.isInteger(value)) return false
    holder[key] = Math.round(value)
    return true
  },
}

function clamp(holder: Container, key: string | number, limit: number | bigint): boolean {
  if (typeof holder[key] !== 'number') return false
  holder[key] = Number(limit)
  return true
}
