import type * as z from 'zod'
import type { World } from '../../emulator/world/world.js'

/**
 * What the table says of a control call. It holds no schema, so that a client and a start need not load any: those of
 * the same name stand in `call-schemas.ts`, and what a call does in `handlers.ts`.
 */
export interface CallEntry {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With `:name` for a part that is a name; the client takes those as arguments, in their order. */
  path: string
  summary: string
  /** Of success; 200 when left out. */
  status?: number
  /** The answer is `{ data: [ … ] }` and its schema that of one item; the client returns the array. */
  list?: true
  /** No admin token is asked for. */
  open?: true
  /** The body may be left out, or empty: every field of it has a default. All other bodies need a field. */
  bodyOptional?: true
  /** The fields of the body that the client takes as arguments of their own; the whole body when left out. */
  fields?: readonly string[]
}

/** What goes into a control call and what comes out. Unknown fields of query and body are errors. control-api: rule 3 */
export interface CallSchemas {
  query?: z.ZodObject
  body?: z.ZodType
  /** The body as this world reads it, where a setting has a say; `body` when left out. */
  bodyIn?: (world: World) => z.ZodType
  /** The handler checks the body itself and gets the JSON value as it came: what it needs, in words. */
  checksBody?: string
  answer: z.ZodType
}

/** Gives each call of a chapter of control-api its source. */
export const chapter = <const C extends Record<string, CallEntry>>(
  title: string,
  calls: C,
): { [N in keyof C]: C[N] & { source: string } } =>
  Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [name, { ...call, source: `control-api: ${title}` }]),
  ) as { [N in keyof C]: C[N] & { source: string } }
