import type * as z from 'zod'
import type { LazySchema, SchemaWords } from '../schema/lazy-schema.js'
import { ascending, byCreation, type Entity, type IndexDeclaration } from './collection.js'

/** Every kind of record by its collection's name: `src/control/start/kinds.ts` adds them by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: src/control/start/kinds.ts fills it in
export interface Kinds {}

export interface Kind<R extends Entity, I extends string = string> {
  /** Each record in memory, on disk and in exports. */
  schema: LazySchema<z.ZodObject>
  indexes: Record<I, IndexDeclaration<R>>
  /** The kinds that it belongs to, each with the index by their id: they are removed together. */
  ownedBy: Partial<Record<CollectionName, I>>
  /** True for kinds that `GET /_admin` counts. */
  counted: boolean
  /** Returns the time at which a record ends by itself, if it does. Kinds without it are never trimmed. */
  endsAt?: (record: R) => string | null
}

export type CollectionName = keyof Kinds & string
export type KindOf<C extends CollectionName> = Kinds[C]['kind']
export type RecordOf<C extends CollectionName> = Kinds[C]['record']
export type IndexOf<C extends CollectionName> = keyof KindOf<C>['indexes'] & string
export type AnyRecord = RecordOf<CollectionName>

/** Returns the schema of a kind of record: the fields of every record and its own, whose defaults are for documents. */
export const recordSchema =
  <F extends z.ZodRawShape>(fields: (words: SchemaWords) => F) =>
  (words: SchemaWords) =>
    words.z.object({ ...words.recordFields, ...words.withoutDefaults(fields(words)) })

interface Declaration<R extends Entity, I extends string> extends Pick<Kind<R, I>, 'indexes'> {
  ownedBy?: Partial<Record<CollectionName, NoInfer<I>>>
  counted?: boolean
}

type RecordIn<S extends z.ZodObject> = z.output<S> & Entity

/** Declares a kind. Every look-up of a request has an index. */
export const kind = <S extends z.ZodObject, I extends string>(
  schema: LazySchema<S>,
  { ownedBy = {}, counted = false, ...declared }: Declaration<RecordIn<S>, I>,
): Kind<RecordIn<S>, I> => ({ schema, ownedBy, counted, ...declared })

/** Declares a kind of records that end: retention trims its index `ending`, in that order. wire: §8 "retention" */
export function endingKind<S extends z.ZodObject, I extends string>(
  schema: LazySchema<S>,
  endsAt: (record: RecordIn<S>) => string | null,
  declared: Declaration<RecordIn<S>, I>,
): Kind<RecordIn<S>, I | 'ending'> {
  type R = RecordIn<S>
  const ending: IndexDeclaration<R> = {
    key: (record) => (endsAt(record) === null ? null : 'all'),
    compare: ascending((record) => String(endsAt(record)), byCreation),
  }
  const indexes = { ...declared.indexes, ending } as Record<I | 'ending', IndexDeclaration<R>>
  return { ...kind<S, I | 'ending'>(schema, { ...declared, indexes }), endsAt }
}

/** Siblings in position order: by their fractional `order` keys. */
export const byOrder = ascending<Entity & { order: string }>((it) => it.order)
