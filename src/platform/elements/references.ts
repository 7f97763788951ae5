import type { World } from '../../emulator/world/world.js'
import type { ExplainedIssue, Issue } from '../../foundation/schema/issue.js'
import { whyMissing } from '../authentication/why-missing.js'
import type { ElementRecord } from './element-record.js'
import type { PropertyUpdate } from './property-rules.js'

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
export function resolveReference(
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
