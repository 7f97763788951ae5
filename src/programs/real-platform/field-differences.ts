import { isObject } from '../../foundation/schema/is-object.js'
import type { SeenDifference } from './difference.js'
import type { Evidence, ResourceExchange } from './evidence.js'
import type { SchemaReader } from './schema-differences.js'
import { shapeOf } from './shape.js'

const SPECIFIED = ['id', 'module', 'name', 'content', 'position', 'metadata']
const NAMES: Record<string, string> = { CourseMember: 'course_member' }

/** Whatever shows resources. */
export const resourcesOf = (evidence: Evidence): ResourceExchange[] =>
  [...evidence.lists, ...evidence.resources].filter(({ items }) => items.length > 0)

/** How resources differ from their schemas, by field. */
export function* fieldDifferences(exchanges: ResourceExchange[], schemas: SchemaReader): Generator<SeenDifference> {
  for (const { where, component, items } of exchanges) {
    for (const item of items) {
      for (const one of schemas.differences(optionFor(schemas, component, item), item, () => {})) {
        const [shown, field] = innermost(component, one.field)
        yield { ...one, section: sectionOf(shown, field), where, field: `${shown}.${field}` }
      }
      if (component === 'Element') yield* limitDifferences(item, schemas, where)
    }
  }
}

/** What a request may not exceed, a response does not either: its schema says no limits. spec: §8 */
function* limitDifferences(
  item: Record<string, unknown>,
  schemas: SchemaReader,
  where: string,
): Generator<SeenDifference> {
  const { name, metadata } = item
  if (typeof name !== 'string' || !isObject(metadata)) return
  for (const one of schemas.differences('ElementUpdate', { name, metadata }, () => {})) {
    yield { ...one, section: 'spec: §8', where, field: `Element.${one.field}` }
  }
}

/** A member is one wherever it is shown. */
function innermost(component: string, field: string): [component: string, field: string] {
  const [, member] = /^members?\.(.+)$/.exec(field) ?? []
  return member === undefined ? [component, field] : ['Member', member]
}

/** Timestamps that are written in another way. wire: §1 */
export function* timeDifferences(exchanges: ResourceExchange[], schemas: SchemaReader): Generator<SeenDifference> {
  for (const { where, component, items } of exchanges) {
    for (const item of items) {
      const times: [string, unknown][] = []
      schemas.differences(optionFor(schemas, component, item), item, (...time) => times.push(time))
      for (const [field, value] of times) {
        if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) continue
        yield {
          section: 'wire: §1 "timestamps"',
          where,
          field: field.split('.').at(-1) as string,
          documented: 'ISO 8601 in UTC with milliseconds',
          found: shapeOf(value),
        }
      }
    }
  }
}

/** The decision about a resource. spec: §2.1 and §2.3 say what an element is, wire: §4 what else is shown. */
function sectionOf(component: string, field: string): string {
  if (/^properties\b/.test(field)) return 'spec: §2.3'
  if (component === 'Element' && field === 'type') return 'spec: §2.2'
  if (component === 'Element' && SPECIFIED.includes(field.split('.')[0] as string)) return 'spec: §2.1'
  return `wire: §4 "${NAMES[component] ?? component.toLowerCase()}"`
}

/** An element by its type, an activity by who did it. */
function optionFor(schemas: SchemaReader, component: string, item: Record<string, unknown>): string {
  if (component === 'Activity') return Object.hasOwn(item, 'members') ? 'GroupActivity' : 'IndividualActivity'
  return schemas.optionOf(component, item.type) ?? component
}
