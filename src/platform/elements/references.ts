import * as z from 'zod'
import type { World } from '../../emulator/world/world.js'
import { isObject } from '../../foundation/schema/is-object.js'
import type { ExplainedIssue, Issue } from '../../foundation/schema/issue.js'
import { whyMissing } from '../authentication/why-missing.js'
import type { ElementRecord } from './element-record.js'
import { integer, itemId, text } from './fields.js'
import type { PropertyUpdate } from './property-rules.js'
import { wireType, wireTypeSchema } from './type-names.js'

/** The element whose references are checked. */
export interface Referrer extends PropertyUpdate {
  /** Undefined while it is being created. */
  id: string | undefined
  organization: string
  /** Undefined when its module could not be found. */
  course: string | undefined
  /** True for a record of an export: its references were valid when it was written, and may have changed since. */
  exported?: boolean
}

/** A rule about the elements that an element refers to. Paths begin at the property. */
export type ReferenceRule = (world: Pick<World, 'settings' | 'store'>, referrer: Referrer) => Issue[]

/** Returns the element that a body refers to, or why it may not. Another organization's is absent. wire: §2, spec: §2.3 */
function resolveReference(
  world: Pick<World, 'store'>,
  { organization, course }: Referrer,
  id: string,
): { element: ElementRecord } | { issue: Omit<ExplainedIssue, 'path'> } {
  const element = world.store.elements.get(id)
  if (element?.organization !== organization) return { issue: missing(world, 'element', id) }
  if (course !== undefined && element.course !== course) {
    return { issue: { message: `the element "${id}" is in another course` } }
  }
  return { element }
}

/** Returns the issue of a reference to what the organization does not have. */
export const missing = (world: Pick<World, 'store'>, resource: 'element' | 'module', id: string) => ({
  message: `there is no ${resource} "${id}"`,
  reason: whyMissing(world, resource, id),
})

export type Presenter = (world: Pick<World, 'settings' | 'store'>, stored: unknown) => unknown

/** A source in a request: `{ id }`. `type` and `name` are accepted too, so that a client can send back what it read. wire: §5 */
export const sourceInput = z
  .strictObject({ id: text, type: z.unknown().optional(), name: z.unknown().optional() })
  .transform(({ id }) => ({ id }))

/** A source in a response. spec: §2.3 */
export const sourceOutput = z.strictObject({ type: wireTypeSchema, id: text, name: text })

const sourceId = (source: unknown): string | undefined =>
  isObject(source) && typeof source.id === 'string' ? source.id : undefined

export const presentSource: Presenter = (world, source) => {
  const element = world.store.elements.get(sourceId(source) ?? '')
  return element ? { type: wireType(world, element.type), id: element.id, name: element.name } : null
}

/** `source` names an element of one of these types in the same course. spec: §2.3 "Required element type of `source`" */
export const sourceIs =
  (types: string[]): ReferenceRule =>
  (world, referrer) => {
    const id = Object.hasOwn(referrer.changed, 'source') ? sourceId(referrer.changed.source) : undefined
    if (id === undefined) return []
    const found = resolveReference(world, referrer, id)
    const issue = 'issue' in found ? found.issue : issueOfType(world, types, found.element)
    return issue ? [{ path: 'source', ...issue }] : []
  }

/** Returns the issue of an element that is of none of these types; undefined when it is of one. */
function issueOfType(world: Pick<World, 'settings'>, types: string[], { type }: ElementRecord) {
  if (types.includes(type)) return undefined
  const wanted = types.map((each) => wireType(world, each)).join(' or ')
  return { message: `must be of type ${wanted}; it is of type ${wireType(world, type)}` }
}

/** spec: §2.3 "Score input" */
export const scoreInput = z.strictObject({
  id: itemId,
  element: text,
  weight: integer({ min: 1 }).default(1),
  scored_via: text.nullable().default(null),
})

/** The types of reviews whose rubric may grade an element, by the element's type. spec: §2.3 `scored_via` */
const reviewsOf: Record<string, string[]> = {
  SUBMISSION: ['PEER_REVIEW', 'AI_REVIEW', 'INSTRUCTOR_REVIEW'],
  PEER_REVIEW: ['FEEDBACK_REFLECTION'],
}

/** Checks the references of each score input: same course, allowed pairing. spec: §2.3, wire: §5 */
export const refersWithinTheCourse: ReferenceRule = (world, referrer) => {
  const inputs = Object.hasOwn(referrer.changed, 'inputs') ? referrer.changed.inputs : undefined
  if (!Array.isArray(inputs)) return []
  return inputs.flatMap((input, index) => {
    const issues = isObject(input) ? issuesOfInput(world, referrer, input) : []
    return issues.map(({ path, ...issue }) => ({ path: `inputs.${index}.${path}`, ...issue }))
  })
}

function issuesOfInput(
  world: Pick<World, 'settings' | 'store'>,
  referrer: Referrer,
  { element: id, scored_via }: Record<string, unknown>,
): Issue[] {
  const issues: Issue[] = []
  let graded: ElementRecord | undefined
  if (typeof id === 'string') {
    const found = resolveReference(world, referrer, id)
    if ('issue' in found) issues.push({ path: 'element', ...found.issue })
    else if (id === referrer.id) issues.push({ path: 'element', message: 'must not be the score itself' })
    else graded = found.element
  }
  if (typeof scored_via !== 'string') return issues
  const issue = issueOfReview(world, referrer, scored_via, graded)
  return issue ? [...issues, { path: 'scored_via', ...issue }] : issues
}

/** @param graded what the review is to grade, when that is valid. */
function issueOfReview(
  world: Pick<World, 'settings' | 'store'>,
  referrer: Referrer,
  id: string,
  graded: ElementRecord | undefined,
): Omit<ExplainedIssue, 'path'> | undefined {
  const reviews = graded && reviewsOf[graded.type]
  if (graded && !reviews)
    return { message: `is not possible for an element of type ${wireType(world, graded.type)}; leave it out` }
  const found = resolveReference(world, referrer, id)
  if ('issue' in found) return found.issue
  if (!graded || !reviews) return undefined
  const issue = issueOfType(world, reviews, found.element)
  const source = sourceId(found.element.properties.source)
  if (issue || source === undefined || source === graded.id || referrer.exported) return issue
  return { message: `must be a review of "${graded.id}", but its source is "${source}"` }
}
