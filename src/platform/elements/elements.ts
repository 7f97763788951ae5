import { isDeepStrictEqual } from 'node:util'
import { generateKeyBetween } from 'fractional-indexing'
import type { ElementTypeName } from '../../emulator/world/element-type-names.js'
import type { World } from '../../emulator/world/world.js'
import { invalid } from '../../foundation/http/refusal.js'
import { isObject } from '../../foundation/schema/is-object.js'
import type { Issue } from '../../foundation/schema/issue.js'
import type { Transaction } from '../../foundation/store/store.js'
import { type Caller, findOwn } from '../authentication/authenticate.js'
import { type ElementBody, forCreate, forUpdate, readElementBody } from './element-body.js'
import type { ElementRecord } from './element-record.js'
import { elementTypes } from './element-types.js'
import { defaultProperties, inProperties, presentProperties, readProperties, withIds } from './properties.js'
import { missing, type Referrer } from './references.js'
import { readType, wireType } from './type-names.js'

/** @throws Refusal 404 */
export const findElement = (world: Pick<World, 'store'>, caller: Caller, id: string): ElementRecord =>
  findOwn(world, world.store.elements, 'element', caller, id)

/** @throws Refusal 400 with every issue of the body. spec: §4.3 */
export function createElement(world: World, { organization }: Caller, body: unknown): ElementRecord {
  const { fields, issues } = readElementBody(body, forCreate)
  const module = fields.module === undefined ? undefined : world.store.modules.get(fields.module)
  const ownModule = module?.organization === organization ? module : undefined
  if (fields.module !== undefined && !ownModule) {
    issues.push({ path: 'module', ...missing(world, 'module', fields.module) })
  }
  const type = fields.type === undefined ? undefined : readType(world, fields.type, issues)
  const properties =
    type && readAllProperties(world, type, fields, { id: undefined, organization, course: ownModule?.course }, issues)
  // Each part that is missing has an issue.
  if (issues.length > 0 || !ownModule || !type || !properties) throw invalid(issues)

  return world.store.change((tx) => {
    tx.reserve(body)
    const { name = '', content = '', metadata = {}, position } = fields
    const { id: moduleId, course } = ownModule
    const now = world.clock.timestamp(organization)
    return tx.add('elements', {
      id: world.random.id(),
      created_at: now,
      updated_at: now,
      organization,
      course,
      module: moduleId,
      order: orderAt(world, moduleId, position),
      type,
      name,
      content,
      cover: null,
      metadata,
      properties: withIds(properties, world.random),
    })
  })
}

/** Updates the fields that were sent. @throws Refusal 400 with every issue of the body. spec: §4.5 */
export function updateElement(world: World, element: ElementRecord, body: unknown): ElementRecord {
  const { fields, issues } = readElementBody(body, forUpdate)
  const properties = readAllProperties(world, element.type, fields, element, issues)
  if (issues.length > 0) throw invalid(issues)

  const { name = element.name, content = element.content, metadata = element.metadata, position } = fields
  const order = position === undefined ? element.order : orderMovedTo(world, element, position)
  return world.store.change((tx) => {
    // An item without an id is a new one, whatever its id was before a reset of a seeded world.
    tx.reserve([body, element])
    const updated = { ...element, name, content, metadata, order, properties: withIds(properties, world.random) }
    if (isDeepStrictEqual(updated, element)) return element
    updated.updated_at = world.clock.timestamp(element.organization)
    tx.put('elements', updated)
    unlinkQuestions(world, tx, element, updated)
    return updated
  })
}

/** wire: §4 "delete" */
export function deleteElement(world: Pick<World, 'store'>, element: ElementRecord): void {
  const { elements } = world.store
  world.store.change((tx) => {
    for (const review of [...elements.in('source', element.id)]) setProperty(tx, review, 'source', null)
    for (const score of [...elements.in('scores', element.course)]) forgetInputs(tx, score, element.id)
    tx.removeWithOwned('elements', element.id)
  })
}

const setProperty = (tx: Transaction, element: ElementRecord, name: string, value: unknown) =>
  tx.put('elements', { ...element, properties: { ...element.properties, [name]: value } })

/** An input of the element itself goes; one that it graded is graded by no review any more. wire: §4 "delete" */
function forgetInputs(tx: Transaction, score: ElementRecord, id: string): void {
  const inputs = score.properties.inputs
  if (!Array.isArray(inputs) || !inputs.some(({ element, scored_via }) => element === id || scored_via === id)) return
  const left = inputs
    .filter(({ element }) => element !== id)
    .map((input) => (input.scored_via === id ? { ...input, scored_via: null } : input))
  setProperty(tx, score, 'inputs', left)
}

/**
 * Every property as it will be; issues of shape, of rules between properties and of references go to `issues`.
 * @param at the element that is updated, or where the new one belongs.
 */
function readAllProperties(
  world: World,
  type: ElementTypeName,
  { properties: given }: ElementBody['fields'],
  at: ElementRecord | Pick<Referrer, 'id' | 'organization' | 'course'>,
  issues: Issue[],
): Record<string, unknown> {
  const stored = 'properties' in at ? at.properties : defaultProperties(type)
  if (!isObject(given)) return stored
  const { changed, result, issues: ownIssues } = readProperties(type, given, stored)
  const { rules, changes, references } = elementTypes[type]
  const referrer = { id: at.id, organization: at.organization, course: at.course, changed, result }
  const ofRules = [...rules, ...changes].flatMap((rule) => rule(referrer))
  const ofReferences = references.flatMap((rule) => rule(world, referrer))
  for (const issue of inProperties([...ownIssues, ...ofRules, ...ofReferences])) issues.push(issue)
  return result
}

/** wire: §4 "element" */
export function presentElement(world: Pick<World, 'settings' | 'store'>, element: ElementRecord) {
  const { id, name, content, type, module, course, cover, metadata, created_at, updated_at } = element
  return {
    id,
    object: 'element',
    name,
    content,
    type: wireType(world, type),
    position: positionOf(world, element),
    module,
    course,
    cover,
    metadata,
    properties: presentProperties(world, element),
    created_at,
    updated_at,
  }
}

/** Returns the element that an activity is about. wire: §4 "activity" */
export function presentContext(world: Pick<World, 'settings' | 'store'>, element: ElementRecord) {
  const { id, name, type, module } = element
  return { id, object: 'element', name, type: wireType(world, type), position: positionOf(world, element), module }
}

/** 0-indexed place in its module. spec: §2.1 */
const positionOf = (world: Pick<World, 'store'>, element: ElementRecord): number =>
  world.store.elements.in('siblings', element.module).rank(element)

/** Returns the `order` of a new element at `position`, at the end when that is undefined or beyond it. spec: §2.1 */
function orderAt(world: Pick<World, 'store'>, module: string, position: number | undefined): string {
  const siblings = world.store.elements.in('siblings', module)
  const place = Math.min(position ?? siblings.size, siblings.size)
  return generateKeyBetween(siblings.at(place - 1)?.order ?? null, siblings.at(place)?.order ?? null)
}

/** Returns the `order` that brings an element to `position` among its siblings: its own when it is there. spec: §2.1 */
function orderMovedTo(world: Pick<World, 'store'>, element: ElementRecord, position: number): string {
  const siblings = world.store.elements.in('siblings', element.module)
  const from = siblings.rank(element)
  const to = Math.min(position, siblings.size - 1)
  if (to === from) return element.order
  const [before, after] = to < from ? [to - 1, to] : [to, to + 1]
  return generateKeyBetween(siblings.at(before)?.order ?? null, siblings.at(after)?.order ?? null)
}

const questionIds = ({ properties: { questions } }: ElementRecord): Set<string> =>
  new Set(Array.isArray(questions) ? questions.map(({ id }: { id: string }) => id) : [])

/**
 * Unlinks responses from questions that an update removes or renames, permanently: sending the same id later does not
 * restore the link. wire: §4 "activity", spec: §2.3
 */
function unlinkQuestions(
  world: Pick<World, 'store'>,
  tx: Transaction,
  before: ElementRecord,
  after: ElementRecord,
): void {
  const left = questionIds(after)
  const gone = new Set([...questionIds(before)].filter((id) => !left.has(id)))
  if (gone.size === 0) return
  const isGone = (question: string | null) => question !== null && gone.has(question)
  for (const activity of [...world.store.activities.in('element', after.id)]) {
    if (!activity.responses.some(({ question }) => isGone(question))) continue
    const responses = activity.responses.map((response) =>
      isGone(response.question) ? { ...response, question: null } : response,
    )
    tx.put('activities', { ...activity, responses })
  }
}
