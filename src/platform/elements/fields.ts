import * as z from 'zod'
import { isObject } from '../../foundation/schema/is-object.js'
import { describeIssue } from '../../foundation/schema/issue.js'

// The building blocks of the table of element types: what a value of a field may be.

const URL_LIMIT = 2048

/** Returns true when `text` has at most `limit` characters; a character is a Unicode code point. wire: §2 "strings" */
export function fitsLimit(text: string, limit: number): boolean {
  if (text.length <= limit) return true
  if (text.length > 2 * limit) return false
  return [...text].length <= limit
}

export const text = z.string()

export const textUpTo = (limit: number) =>
  z
    .string()
    .refine((value) => fitsLimit(value, limit), `must have at most ${limit} characters`)
    .meta({ maxLength: limit })

/** A whole number of any size: `z.int()` refuses those that a double cannot count. */
export const integer = ({ min, max }: { min?: number; max?: number } = {}) => {
  let schema = z.number()
  if (min !== undefined) schema = schema.min(min)
  if (max !== undefined) schema = schema.max(max)
  return schema.refine(Number.isInteger, 'must be an integer').meta({ type: 'integer' })
}

export const percentage = integer({ min: 0, max: 100 })

/** Has a host after its slashes: `URL.canParse` takes the path of `https:///path` for one. */
const WEB_URL = /^https?:\/\/[^\s/\\]\S*$/i

/** wire: §5 "URLs" */
export const webUrl = z
  .string()
  .refine((value) => WEB_URL.test(value) && URL.canParse(value), 'must be an http or https URL')
  .refine((value) => fitsLimit(value, URL_LIMIT), `must have at most ${URL_LIMIT} characters`)
  .meta({ maxLength: URL_LIMIT, pattern: '^[hH][tT][tT][pP][sS]?://[^\\s/\\\\]' })

const DATE = z.regexes.date.source.slice(1, -1)
const TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?'
const OFFSET = '(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)'

/** Kept as sent. wire: §5 "dates" */
export const date = z
  .string()
  .regex(
    new RegExp(`^${DATE}(?:T${TIME}${OFFSET})?$`),
    'must be an ISO 8601 date, or a date-time with Z or an offset: 2026-01-31 or 2026-01-31T09:00:00Z',
  )

/** Placeholder of an id that is still to be generated; valid ids never hold it. */
export const NEW_ID = '\u0000new'

const ITEM_ID_LENGTH = 64
/** No control or format characters, no halves of surrogate pairs, no line separators. */
const PRINTABLE = /^[^\p{C}\p{Zl}\p{Zp}]*$/u
/** The part of it that every dialect of regular expressions can express, for JSON Schema. */
const WITHOUT_CONTROLS = '^[^\\x00-\\x1f\\x7f-\\x9f]*$'

/** The id of an item: kept when given. spec: §2.3, wire: §5 "item ids" */
export const itemId = z
  .string()
  .refine((id) => PRINTABLE.test(id), 'must contain only printable characters')
  .refine((id) => id !== '' && fitsLimit(id, ITEM_ID_LENGTH), `must have 1 to ${ITEM_ID_LENGTH} characters`)
  .meta({ minLength: 1, maxLength: ITEM_ID_LENGTH, pattern: WITHOUT_CONTROLS })
  .default(NEW_ID)
  .meta({ description: 'Kept when given, else generated; printable characters only', default: undefined })

/** An array whose items' ids differ. wire: §5 "item ids" */
export const list = <S extends z.ZodType>(item: S, { min = 0 } = {}) =>
  (min > 0 ? z.array(item).min(min) : z.array(item)).superRefine(reportRepeatedIds, { when: () => true })

function reportRepeatedIds(items: unknown, context: z.RefinementCtx): void {
  if (!Array.isArray(items)) return
  const seen = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    if (!isObject(item) || typeof item.id !== 'string' || item.id === NEW_ID) continue
    const first = seen.get(item.id)
    if (first === undefined) seen.set(item.id, index)
    else context.addIssue({ code: 'custom', path: [index, 'id'], message: `is also the id of item ${first}` })
  }
}

/** Objects of several kinds, distinguished by `type`. A kind that does not exist hides no issue of what all kinds have. */
export function unionOfKinds<C extends z.ZodRawShape, K extends Record<string, z.ZodRawShape>>(
  common: C,
  table: K,
  rule: (item: Record<string, unknown>, context: z.RefinementCtx) => void,
) {
  const shared = z.object({ id: itemId, ...common })
  const [first, ...rest] = Object.entries(table).map(([type, extra]) =>
    z.strictObject({ id: itemId, type: z.literal(type), ...common, ...extra }),
  )
  if (!first) throw new Error('There must be a kind')
  return z.discriminatedUnion('type', [first, ...rest]).superRefine(
    (item: unknown, context) => {
      if (!isObject(item)) return
      if (typeof item.type === 'string' && Object.hasOwn(table, item.type)) rule(item, context)
      else
        for (const issue of shared.safeParse(item, { error: describeIssue }).error?.issues ?? [])
          context.addIssue({ ...issue })
    },
    { when: () => true },
  )
}
