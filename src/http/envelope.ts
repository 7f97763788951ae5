import type { Entity } from '../store/collection.js'
import type { OrderedList } from '../store/ordered-list.js'
import type { Warning } from '../world/exchange.js'
import type { World } from '../world/world.js'
import { invalid, type Refusal } from './refusal.js'
import type { Request } from './request.js'
import type { Response } from './response.js'

/** The success envelope. wire: §2 */
export const payload = (body: unknown, warnings: Warning[] = []): Response => ({
  status: 200,
  body: { error: null, payload: body },
  notes: { warnings },
})

/** The error envelope. wire: §2 */
export const refuse = ({ status, message, details }: Refusal): Response => ({
  status,
  body: { error: message, payload: null, ...(details && { details }) },
})

/** Where a page begins: after the record with this time of creation and sequence number, going back in time. */
type Cursor = Pick<Entity, 'created_at' | 'sequence'>

/**
 * One page of `records`, newest first, with the cursor of the next. A cursor names a place between records and not a
 * count, so inserts and deletes between two pages repeat and skip nothing. wire: §2 "list payload"
 * @param records in order of creation, oldest first.
 * @param keep which of them belong to the list.
 * @throws Refusal 400 for a `page` that cannot be read.
 */
export function page<R extends Entity>(
  world: World,
  request: Pick<Request, 'query'>,
  records: OrderedList<R>,
  present: (record: R) => unknown,
  keep: (record: R) => boolean = () => true,
): Response {
  const cursor = request.query.get('page')
  const before = cursor === null ? records.size : records.rank({ ...readCursor(cursor) } as R)
  const found: R[] = []
  for (const record of records.backwards(before)) {
    if (!keep(record)) continue
    found.push(record)
    if (found.length > world.settings.page_size) break
  }
  const shown = found.slice(0, world.settings.page_size)
  const next = found.length > shown.length ? writeCursor(shown.at(-1) as R) : null
  return payload({ data: shown.map(present), next })
}

const writeCursor = ({ created_at, sequence }: Cursor) =>
  Buffer.from(JSON.stringify([created_at, sequence])).toString('base64url')

function readCursor(text: string): Cursor {
  try {
    const read: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (Array.isArray(read) && read.length === 2) {
      const [created_at, sequence] = read
      const cursor = { created_at, sequence }
      const isCursor =
        typeof created_at === 'string' &&
        new Date(created_at).toISOString() === created_at &&
        Number.isSafeInteger(sequence) &&
        writeCursor(cursor) === text
      if (isCursor) return cursor
    }
  } catch {
    // Not base64url of JSON, or of no time: refused below like any other text that is no cursor.
  }
  throw invalid([{ path: 'page', message: 'is not a cursor that a list has given as "next"' }])
}
