import { isDeepStrictEqual } from 'node:util'
import type { ElementTypeName } from '../../emulator/world/element-type-names.js'
import type { Random } from '../../emulator/world/random.js'
import type { World } from '../../emulator/world/world.js'
import { didYouMean } from '../../foundation/schema/did-you-mean.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { belowPrefix, type Issue, MAX_ISSUES, readBySchema } from '../../foundation/schema/issue.js'
import type { ElementRecord } from './element-record.js'
import { elementTypes, type Property } from './element-types.js'
import { NEW_ID } from './fields.js'
import type { PropertyUpdate } from './property-rules.js'

type Properties = Record<string, unknown>

/** Returns every property of the type as a new element has it. wire: §4 */
export const defaultProperties = (type: ElementTypeName): Properties =>
  Object.fromEntries(Object.entries(elementTypes[type].properties).map(([name, property]) => [name, property.default]))

/** Returns every property of the element as a response shows it. wire: §4 */
export function presentProperties(world: Pick<World, 'settings' | 'store'>, { type, properties }: ElementRecord) {
  const shown: Properties = {}
  const declared = elementTypes[type].properties
  for (const [name, { default: initial, present }] of Object.entries(declared)) {
    const stored = Object.hasOwn(properties, name) ? properties[name] : initial
    shown[name] = present ? present(world, stored) : stored
  }
  return shown
}

/**
 * Reads the properties that a request or document gives, each on its own, so that one issue hides no other.
 * @param stored the present properties, of which one that is sent back is no update (wire: §5); `defaultProperties` for a
 *   new element.
 * @returns what changes, what results, and the issues; paths begin at the property.
 */
export function readProperties(type: ElementTypeName, given: Properties, stored: Properties) {
  const { properties } = elementTypes[type]
  const update: PropertyUpdate & { issues: Issue[] } = { changed: {}, result: { ...stored }, issues: [] }
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(properties, name)) {
      const isListed = update.issues.length < MAX_ISSUES
      const hint = isListed ? didYouMean(name, Object.keys(properties)) : ''
      update.issues.push({ path: name, message: `is not a property of this element type${hint}` })
      continue
    }
    const { input, default: initial } = properties[name] as Property
    const { data, issues } = value === null ? { data: initial, issues: undefined } : readBySchema(input, value)
    if (issues) {
      update.changed[name] = value
      delete update.result[name]
      update.issues = update.issues.concat(belowPrefix(issues, [name]))
    } else if (!isDeepStrictEqual(data, stored[name])) {
      update.changed[name] = value
      update.result[name] = data
    }
  }
  return update
}

/** Issues of properties as those of their element: paths begin at the element. */
export const inProperties = (issues: Issue[]): Issue[] =>
  issues.map(({ path, ...issue }) => ({ path: `properties.${path}`, ...issue }))

/** Returns the value with an id for each item that was sent without one. spec: §2.3 */
export function withIds<T>(value: T, random: Random): T {
  if (Array.isArray(value)) return value.map((item) => withIds(item, random)) as T
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    // A text may be the same by chance.
    key === 'id' && inner === NEW_ID ? random.id() : withIds(inner, random),
  ])
  return Object.fromEntries(entries) as T
}
