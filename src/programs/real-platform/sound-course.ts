import type { FixtureDocument } from '../../control/fixtures/document.js'
import { InvalidFixturesError } from '../../control/start/invalid-fixtures-error.js'
import { startEmulator } from '../../control/start/start-emulator.js'
import type { Issue } from '../../foundation/schema/issue.js'
import { holderOf, remove, sweep } from './removal.js'

export type CourseDocument = NonNullable<NonNullable<FixtureDocument['organizations']>[number]['courses']>[number]

type Note = (field: string, what: string, element: string | undefined) => void

/** Each round removes something; this only bounds what cannot happen. */
const ROUNDS = 1000
const BEFORE_COURSE = ['organizations', '0', 'courses', '0']

/**
 * The course without what an emulator refuses of it: references to what is not there, or of the wrong type. The emulator
 * itself is asked, so what comes out is what `validate` accepts. fixtures: "Checked whole"
 * @param course is changed.
 * @param note told of each thing that is left out.
 */
export async function soundCourse(course: CourseDocument, note: Note): Promise<CourseDocument> {
  const removed = new WeakMap<object, Map<string, number>>()
  for (let round = 0; round < ROUNDS; round++) {
    const details = await refusedIn(course)
    if (details.length === 0) return course
    for (const { path, message } of details) {
      const keys = path.split('.').slice(BEFORE_COURSE.length)
      const holder = holderOf(course, keys)
      if (!holder) continue
      const key = keys.at(-1) as string
      const before = removed.get(holder)?.get(key) ?? 0
      removed.set(holder, new Map(removed.get(holder)).set(key, before + 1))
      // What is missed when it is gone goes with what holds it.
      remove(course, before === 0 ? keys : keys.slice(0, -before))
      const element = elementAt(course, keys)
      const field = keys.slice(element ? ELEMENT_DEPTH : 0).filter((part) => !/^\d+$/.test(part))
      note(field.join('.'), `${message.replaceAll(/"[^"]*"/g, '…')}; left out`, element)
    }
    sweep(course)
  }
  throw new Error('A course cannot be made sound')
}

async function refusedIn(course: CourseDocument): Promise<Issue[]> {
  const fixtures = { organizations: [{ slug: 'pulled', api_key: null, courses: [course] }] }
  try {
    // The seed avoids generating a signing key, which nobody is going to use.
    const emulator = await startEmulator({ fixtures, seed: 'pull', port: 0, store: 'memory', https: false })
    await emulator.close()
    return []
  } catch (error) {
    if (!(error instanceof InvalidFixturesError) || error.issues.length === 0) throw error
    return error.issues
  }
}

/** `modules`, a place, `elements`, a place. */
const ELEMENT_DEPTH = 4

function elementAt(course: CourseDocument, [modules, module, elements, element]: string[]): string | undefined {
  if (modules !== 'modules' || elements !== 'elements') return undefined
  return course.modules?.[Number(module)]?.elements?.[Number(element)]?.id
}
