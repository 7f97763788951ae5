import type * as z from 'zod'
import type { FixtureDocument } from '../../control/fixtures/document.js'
import { InvalidFixturesError } from '../../control/start/invalid-fixtures-error.js'
import { startEmulator } from '../../control/start/start-emulator.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { valueAt } from '../../foundation/schema/issue.js'
import { isFieldName } from './difference.js'

interface CourseDocument {
  modules: { elements: { id: string }[] }[]
}

type Key = string | number
type Container = Record<Key, unknown>
interface InvalidPart {
  path: Key[]
  /** The note on a value that is left out for it. */
  leftOut: string
  /** The schema's issue; undefined for one of the emulator. */
  issue?: z.core.$ZodIssue
}

export const NEAREST = 'is not valid here; changed to the nearest valid value'
const REMOVED = Symbol('removed')
/** Each round changes something; this only bounds what cannot happen. */
const ROUNDS = 1000

/** Mends invalid parts: brings a value nearer to a valid one, or removes it, or what holds it when it is missing. */
function repair(root: object, parts: InvalidPart[], note: (path: Key[], what: string) => void): void {
  for (const { path, leftOut, issue } of parts) {
    const holder = holderOf(root, path)
    const key = path.at(-1)
    // An earlier part of this round may have removed it.
    if (!holder || key === undefined) continue
    const nearest = issue && nearestTo(holder, key, issue)
    const isAdjusted = nearest !== undefined && nearest !== holder[key]
    if (isAdjusted) holder[key] = nearest
    else remove(root, key in holder ? path : path.slice(0, -1))
    note(path, isAdjusted ? NEAREST : leftOut)
  }
  dropRemoved(root)
}

/** Returns the field at a path, without indexes of arrays. */
const fieldAt = (path: Key[]): string => path.filter((key) => !/^\d+$/.test(String(key))).join('.')

function holderOf(root: object, path: Key[]): Container | undefined {
  const holder = valueAt(root, path.slice(0, -1))
  return isContainer(holder) ? holder : undefined
}

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

/** Items of arrays are only marked, so that further parts stay where their paths say. */
function remove(root: object, path: Key[]): void {
  const holder = holderOf(root, path)
  const key = path.at(-1) as Key
  if (Array.isArray(holder)) holder[Number(key)] = REMOVED
  else delete holder?.[key]
}

function dropRemoved(value: unknown): void {
  if (Array.isArray(value)) value.splice(0, value.length, ...value.filter((item) => item !== REMOVED))
  if (isContainer(value)) for (const inner of Object.values(value)) dropRemoved(inner)
}

/**
 * Returns the fields of a resource, or the properties of an element, each one valid by its own schema or left out:
 * numbers come into their range, unknown fields go, a question of an unknown kind becomes a text question.
 * @param strange the note on a field that has no schema.
 */
export function nearestFields(
  schemas: Record<string, z.ZodType>,
  given: Record<string, unknown>,
  strange: string,
  note: (field: string, what: string) => void,
): Record<string, unknown> {
  const root: Container = {}
  for (const [name, value] of Object.entries(given)) {
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
    // A name that is no plain one may be data.
    if (!schema) note(isFieldName(name) ? name : '(a field)', strange)
    else root[name] = structuredClone(value)
    // A value that came nearer to a valid one in one round may be left out in another.
    const last = new Map<string, string>()
    for (let round = 0; schema && name in root && round < ROUNDS; round++) {
      const issues = schema.safeParse(root[name]).error?.issues
      if (!issues) break
      const leftOut = 'is not valid here; left out'
      const parts = issues.map((issue) => ({ path: [name, ...(issue.path as Key[])], leftOut, issue }))
      repair(root, parts, (path, what) => last.set(path.join('.'), what))
    }
    for (const [path, what] of last) note(fieldAt(path.split('.')), what)
  }
  return root
}

const numberIn = (value: unknown): number | undefined =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined

/** Fields in which a number may stand for a text: names and what people read, and ids. */
const TEXTS = /(^id|name|title|text|description)$/

function nearestTo(holder: Container, key: Key, issue: z.core.$ZodIssue): unknown {
  const value = holder[key]
  if (typeof value === 'number') {
    if (issue.code === 'too_big') return Number(issue.maximum)
    if (issue.code === 'too_small') return Number(issue.minimum)
    if (issue.code === 'custom') return Math.round(value)
  }
  if (issue.code === 'unrecognized_keys' && isObject(value)) {
    return Object.fromEntries(Object.entries(value).filter(([name]) => !issue.keys.includes(name)))
  }
  if (issue.code === 'invalid_type' && issue.expected === 'string') {
    return typeof value === 'number' && TEXTS.test(String(key)) ? String(value) : undefined
  }
  if (issue.code === 'invalid_type' && issue.expected === 'number') return numberIn(value)
  // Seconds or milliseconds since 1970.
  if (issue.code === 'invalid_format' && issue.format === 'datetime') return numberIn(value)
  const isQuestionOfUnknownKind = issue.code === 'invalid_union' && key === 'type' && typeof holder.text === 'string'
  return isQuestionOfUnknownKind ? 'TEXT' : undefined
}

/** `modules`, an index, `elements`, an index. */
const ELEMENT_DEPTH = 4

/**
 * Removes from a course what an emulator rejects: references to missing elements, or to those of the wrong type. The
 * emulator itself is asked, so the result is what `validate` accepts. fixtures: "Checked whole"
 * @param course is changed.
 * @param note called with each thing that is left out, and the id of its element.
 */
export async function repairCourse(
  course: CourseDocument,
  note: (field: string, what: string, element: string | undefined) => void,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const parts = await invalidPartsOf(course)
    if (parts.length === 0) return
    repair(course, parts, (path, what) => {
      const [, module, elements, index] = path
      const element = elements === 'elements' ? course.modules[Number(module)]?.elements[Number(index)]?.id : undefined
      note(fieldAt(element ? path.slice(ELEMENT_DEPTH) : path), what, element)
    })
  }
  throw new Error('A course cannot be made valid')
}

const BEFORE_COURSE = ['organizations', '0', 'courses', '0']

async function invalidPartsOf(course: CourseDocument): Promise<InvalidPart[]> {
  const fixtures = { organizations: [{ slug: 'pulled', api_key: null, courses: [course] }] } as FixtureDocument
  try {
    // The seed avoids generating a signing key, which would not be used.
    const emulator = await startEmulator({ fixtures, seed: 'pull', port: 0, store: 'memory', https: false })
    await emulator.close()
    return []
  } catch (error) {
    if (!(error instanceof InvalidFixturesError) || error.issues.length === 0) throw error
    return error.issues.map(({ path, message }) => ({
      path: path.split('.').slice(BEFORE_COURSE.length),
      leftOut: `${message.replaceAll(/"[^"]*"/g, '…')}; left out`,
    }))
  }
}
