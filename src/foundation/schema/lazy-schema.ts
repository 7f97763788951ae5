import type * as z from 'zod'

/** zod, and the fields that records and documents have in common. */
export type SchemaWords = typeof import('./schema-words.js')

/** A schema that is made when it is first needed: loading zod takes a quarter of a start. */
export type LazySchema<S extends z.ZodType = z.ZodType> = (words: SchemaWords) => S

export type OutputOf<L extends LazySchema> = z.output<ReturnType<L>>

/** Loads what lazy schemas are made with. */
export const loadSchemaWords = (): Promise<SchemaWords> => import('./schema-words.js')
