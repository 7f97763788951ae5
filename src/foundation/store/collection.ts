import { OrderedList } from './ordered-list.js'

/** The fields of every record. */
export interface Entity {
  id: string
  sequence: number
  created_at: string
}

/** An index: records by `key` (null: not in it), in order of creation unless `compare` says otherwise. */
export interface IndexDeclaration<R> {
  key: (record: R) => string | null
  compare?: (a: R, b: R) => number
  /** True for keys that name one record, as its id does. */
  unique?: boolean
}

/** Returns a comparator of records: by a text of theirs, then by `ties`. */
export const ascending =
  <R extends Entity>(textOf: (record: R) => string, ties = (a: Entity, b: Entity) => a.sequence - b.sequence) =>
  (a: R, b: R): number => {
    const [textOfA, textOfB] = [textOf(a), textOf(b)]
    return textOfA === textOfB ? ties(a, b) : textOfA < textOfB ? -1 : 1
  }

/** Oldest first. wire: §1 "order" */
export const byCreation = ascending<Entity>((it) => it.created_at)

interface Index<R> extends Required<IndexDeclaration<R>> {
  lists: Map<string, OrderedList<R>>
  empty: OrderedList<R>
}

/** Records of one kind by id, with the declared indexes. Records are values: a change replaces one, nothing mutates it. */
export class Collection<R extends Entity, I extends string = string> {
  readonly #records = new Map<string, R>()
  readonly #indexes = new Map<string, Index<R>>()
  readonly all = new OrderedList<R>(byCreation)

  constructor(declarations: Record<I, IndexDeclaration<R>>) {
    for (const [name, declared] of Object.entries<IndexDeclaration<R>>(declarations)) {
      const { key, compare = byCreation, unique = false } = declared
      this.#indexes.set(name, { key, compare, unique, lists: new Map(), empty: new OrderedList(compare) })
    }
  }

  get(id: string): R | undefined {
    return this.#records.get(id)
  }

  /** The records whose `index` key is `key`, as a live list. Do not keep it across a change. */
  in(index: I, key: string): OrderedList<R> {
    const { lists, empty } = this.#indexes.get(index) as Index<R>
    return lists.get(key) ?? empty
  }

  /** The first record whose `index` key is `key`: for keys that name one record. */
  by(index: I, key: string): R | undefined {
    return this.in(index, key).at(0)
  }

  /** True when a record has this id, or this key in a unique index. */
  isTaken(text: string): boolean {
    if (this.#records.has(text)) return true
    for (const { unique, lists } of this.#indexes.values()) if (unique && lists.has(text)) return true
    return false
  }

  isIndexed(index: I): boolean {
    return (this.#indexes.get(index) as Index<R>).lists.size > 0
  }

  /** Puts, replaces (`record`) or removes (undefined); only the store calls it. @returns the former record. */
  write(id: string, record: R | undefined): R | undefined {
    const before = this.#records.get(id)
    if (before) {
      this.all.remove(before)
      for (const index of this.#indexes.values()) unindex(index, before)
    }
    if (record) {
      this.#records.set(id, record)
      this.all.insert(record)
      for (const index of this.#indexes.values()) listFor(index, record)?.insert(record)
    } else this.#records.delete(id)
    return before
  }

  /** Fills an empty collection at once; only the store calls it. */
  load(records: R[]): void {
    for (const record of records) this.#records.set(record.id, record)
    this.all.load([...this.#records.values()])
    for (const index of this.#indexes.values()) {
      const groups = new Map<string, R[]>()
      for (const record of this.#records.values()) {
        const key = index.key(record)
        if (key === null) continue
        const group = groups.get(key)
        if (group) group.push(record)
        else groups.set(key, [record])
      }
      for (const [key, group] of groups) {
        const list = new OrderedList(index.compare)
        list.load(group)
        index.lists.set(key, list)
      }
    }
  }
}

function listFor<R>(index: Index<R>, record: R): OrderedList<R> | undefined {
  const key = index.key(record)
  if (key === null) return undefined
  let list = index.lists.get(key)
  if (!list) {
    list = new OrderedList(index.compare)
    index.lists.set(key, list)
  }
  return list
}

function unindex<R>(index: Index<R>, record: R): void {
  const key = index.key(record)
  if (key === null) return
  const list = index.lists.get(key) as OrderedList<R>
  list.remove(record)
  if (list.size === 0) index.lists.delete(key)
}

/** Returns every scalar in a value: its ids and secrets are among them. */
export function scalarsIn(value: unknown, scalars = new Set<unknown>()): Set<unknown> {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) scalarsIn(part, scalars)
  else scalars.add(value)
  return scalars
}
