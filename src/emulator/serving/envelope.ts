import { hash } from 'node:crypto'
import { invalid, type Refusal } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import { unlessThrows } from '../../foundation/schema/unless-throws.js'
import type { Entity } from '../../foundation/store/collection.js'
import type { OrderedList } from '../../foundation/store/ordered-list.js'
import type { World } from '../world/world.js'
import type { Response } from './response.js'

/** Returns the success envelope. wire: §2 */
export const payload = (body: unknown): Response => ({ status: 200, body: { error: null, payload: body } })

/** Returns the error envelope. wire: §2 */
export const refuse = ({ status, message, details }: Refusal): Response => ({
  status,
  body: { error: message, payload: null, ...(details && { details }) },
})

/** Position in a list, newest first: after the record with this creation time and sequence number. */
type Cursor = Pick<Entity, 'created_at' | 'sequence'>

interface List<R> {
  /** Identifies the list with its path, so that another list rejects its cursors; null and undefined: none. */
  filter?: Record<string, string | null | undefined>
  /** Records in the order of their creation, the oldest first. */
  records: OrderedList<R>
  present(record: R): unknown
  includes?(record: R): boolean
}

/**
 * One page of a list, newest first, with the cursor of the next. A cursor names a place between records and not a count,
 * so inserts and deletes between two pages repeat and skip nothing. wire: §2 "list payload"
 * @throws Refusal 400 for a `page` that cannot be read, or that another list has given.
 */
export function listPage<R extends Entity>(
  world: Pick<World, 'forms' | 'settings'>,
  request: Pick<Request, 'query' | 'path'>,
  { organization }: { organization: string },
  { filter = {}, records, present, includes = () => true }: List<R>,
): Response {
  const cursor = request.query.get('page')
  const activeFilters = Object.entries(filter).filter(([, value]) => value != null)
  const tag = hash('sha256', JSON.stringify([request.path, organization, activeFilters]), 'base64url').slice(
    0,
    TAG_LENGTH,
  )
  const before = cursor === null ? records.size : records.rank({ ...readCursor(cursor, tag) } as R)
  const matching: R[] = []
  for (const record of records.backwards(before)) {
    if (!includes(record)) continue
    matching.push(record)
    if (matching.length > world.settings.page_size) break
  }
  const page = matching.slice(0, world.settings.page_size)
  const last = page.at(-1)
  const next = last && (matching.length > page.length || world.forms.endsEmpty()) ? writeCursor(last, tag) : null
  return { ...payload({ data: page.map(present), next }), notes: { next } }
}

/** Characters of a list's hash. They prevent mistakes; a forged one gains nothing. */
const TAG_LENGTH = 8

const writeCursor = ({ created_at, sequence }: Cursor, tag: string) =>
  Buffer.from(JSON.stringify([created_at, sequence, tag])).toString('base64url')

function readCursor(text: string, tag: string): Cursor {
  const read = cursorIn(text)
  if (!read) throw invalid([{ path: 'page', message: 'is not a cursor that a list has given as "next"' }])
  if (read.tag === tag) return read.cursor
  const message = 'is a cursor of another list: another path, organization or filter. Begin without "page"'
  throw invalid([{ path: 'page', message }])
}

/** Returns undefined for text that is not base64url of JSON; `toISOString` throws for what is no time. */
const cursorIn = (text: string): { cursor: Cursor; tag: string } | undefined =>
  unlessThrows(() => {
    const read: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (!Array.isArray(read) || read.length !== 3) return undefined
    const [created_at, sequence, tag] = read
    const cursor = { created_at, sequence }
    const isCursor =
      typeof created_at === 'string' &&
      new Date(created_at).toISOString() === created_at &&
      Number.isSafeInteger(sequence) &&
      typeof tag === 'string' &&
      writeCursor(cursor, tag) === text
    return isCursor ? { cursor, tag } : undefined
  })
