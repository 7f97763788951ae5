import { byCreation, type Entity, type IndexDeclaration } from './collection.js'

/**
 * Every kind of record by the name of its collection. The store knows none of them: each room adds its own by
 * declaration merging (`declare module '../store/kind.js'`), and `src/start/kinds.ts` lists them, which the compiler
 * checks to be complete.
 */
// biome-ignore lint/suspicious/noEmptyInterface: rooms fill it in
export interface Kinds {}

/** What the store must know of a kind of record: how it is looked up, and when it has ended. */
export interface Kind<R extends Entity, I extends string = string> {
  indexes: Record<I, IndexDeclaration<R>>
  /** When a record ended or will end by itself; null when it does not. Kinds without it are never trimmed. */
  endsAt?: (record: R) => string | null
}

export type CollectionName = keyof Kinds & string
export type KindOf<C extends CollectionName> = Kinds[C]['kind']
export type RecordOf<C extends CollectionName> = Kinds[C]['record']
export type IndexOf<C extends CollectionName> = keyof KindOf<C>['indexes'] & string
export type AnyRecord = RecordOf<CollectionName>

/** Declares a kind. Whatever a request looks up is an index. */
export const kind =
  <R extends Entity>() =>
  <I extends string>(indexes: Record<I, IndexDeclaration<R>>): Kind<R, I> => ({ indexes })

/** The same for records that end: `ending` is the index, in order of ending, that retention trims. wire: §8 "retention" */
export const endingKind =
  <R extends Entity>(endsAt: (record: R) => string | null) =>
  <I extends string>(indexes: Record<I, IndexDeclaration<R>>): Kind<R, I | 'ending'> => ({
    indexes: {
      ...indexes,
      ending: { key: (record) => (endsAt(record) === null ? null : 'all'), compare: byEnd(endsAt) },
    } as Record<I | 'ending', IndexDeclaration<R>>,
    endsAt,
  })

const byEnd =
  <R extends Entity>(end: (record: R) => string | null) =>
  (a: R, b: R) => {
    const [endOfA, endOfB] = [end(a) ?? '', end(b) ?? '']
    return endOfA === endOfB ? byCreation(a, b) : endOfA < endOfB ? -1 : 1
  }

/** Siblings in position order: by their fractional `order` keys. */
export const byOrder = (a: Entity & { order: string }, b: Entity & { order: string }) =>
  a.order === b.order ? a.sequence - b.sequence : a.order < b.order ? -1 : 1
