import * as z from 'zod'
import { DATE_TIME } from './schema-issues.js'

// What fields of fixture documents have in common: documents are written by people. fixtures: all of it

/** A moment with `Z` or an offset; comes out as the wire writes it. wire: §1 */
export const moment = z.iso
  .datetime({ offset: true, error: DATE_TIME })
  .transform((text) => new Date(text).toISOString())
  .pipe(z.iso.datetime())

/** fixtures: "Ids" */
export const documentId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, hyphens or underscores')

/** What any record of a document may state; left out, it is generated. `sequence` is for exports. */
export const generated = { created_at: moment.optional(), sequence: z.int().optional() }

type WithoutDefault<S> = S extends z.ZodDefault<infer Inner> ? Inner : S

/** The same fields as they are once they have been read: none has a default any more. */
export const withoutDefaults = <S extends z.ZodRawShape>(shape: S): { [K in keyof S]: WithoutDefault<S[K]> } =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [name, schema instanceof z.ZodDefault ? schema.unwrap() : schema]),
  ) as { [K in keyof S]: WithoutDefault<S[K]> }
