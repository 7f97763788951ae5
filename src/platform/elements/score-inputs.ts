import * as z from 'zod'
import type { World } from '../../emulator/world/world.js'
import { isObject } from '../../foundation/schema/is-object.js'
import type { ExplainedIssue, Issue } from '../../foundation/schema/issue.js'
import type { ElementRecord } from './element-record.js'
import { integer, itemId, text } from './fields.js'
import { type ReferenceRule, type Referrer, resolveReference } from './references.js'
import { sourceId } from './sources.js'
import { wireType } from './type-names.js'

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
  const reviews = graded ? (reviewsOf[graded.type] ?? []) : undefined
  if (graded && reviews?.length === 0)
    return { message: `is not possible for an element of type ${wireType(world, graded.type)}; leave it out` }
  const found = resolveReference(world, referrer, id)
  if ('issue' in found) return found.issue
  const review = found.element
  if (!graded || !reviews) return undefined
  if (!reviews.includes(review.type)) {
    const wanted = reviews.map((type) => wireType(world, type)).join(' or ')
    return { message: `must be of type ${wanted}; it is of type ${wireType(world, review.type)}` }
  }
  const source = sourceId(review.properties.source)
  return source === undefined || source === graded.id || referrer.exported
    ? undefined
    : { message: `must be a review of "${graded.id}", but its source is "${source}"` }
}
