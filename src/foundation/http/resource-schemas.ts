import * as z from 'zod'

/** The query of every list. wire: §2 "list payload" */
export const pageQuery = z.object({ page: z.string().optional().describe('The `next` of the page before') })

/** One page. wire: §2 "list payload" */
export const listOf = (item: z.ZodType) =>
  z.strictObject({
    data: z.array(item),
    next: z.string().nullable().describe('The `page` of the next page; null on the last one'),
  })

/** A resource: its own fields and those that every resource has. wire: §4 */
export const resource = <N extends string, S extends z.ZodRawShape>(object: N, fields: S) =>
  z.strictObject({ id: z.string(), object: z.literal(object), ...fields, created_at: z.iso.datetime() })
