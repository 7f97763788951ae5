import type { LinePlace } from './line-file.js'
import type { HeldList, UnfinishedPull } from './unfinished-pull.js'

/** A line of a list: a record as the document has it, and where it belongs. */
export interface Line {
  id: string
  /** The id of what holds it: a module's course, an element's module, an activity's element; empty otherwise. */
  in: string
  /** Among those that the same thing holds. */
  position: number
  /** The record, without what it holds itself. */
  record: Record<string, unknown>
}

interface Known {
  in: string
  position: number
  place: LinePlace
}

type Index = Record<HeldList, Map<string, Known>>

/**
 * What has been read so far, found by id and by what holds it. Only places are in memory: the records are on disk, however
 * many there are. A record that comes up twice (a page that moved under the reader) counts once.
 */
export class PulledRecords {
  readonly #known: Index

  constructor(readonly unfinished: UnfinishedPull) {
    const index = (list: HeldList): [HeldList, Map<string, Known>] => {
      const known = new Map<string, Known>()
      for (const { value, place } of unfinished.files[list].lines()) {
        const { id, in: holder, position } = value as Line
        known.set(id, { in: holder, position, place })
      }
      return [list, known]
    }
    const { files } = unfinished
    this.#known = Object.fromEntries((Object.keys(files) as HeldList[]).map(index)) as Index
  }

  add(list: HeldList, line: Line): void {
    const { id, in: holder, position } = line
    this.#known[list].set(id, { in: holder, position, place: this.unfinished.files[list].append(line) })
  }

  has = (list: HeldList, id: string): boolean => this.#known[list].has(id)
  count = (list: HeldList): number => this.#known[list].size
  holderOf = (list: HeldList, id: string): string | undefined => this.#known[list].get(id)?.in

  get(list: HeldList, id: string): Record<string, unknown> | undefined {
    const known = this.#known[list].get(id)
    return known && (this.unfinished.files[list].read(known.place) as Line).record
  }

  /** Forgets what its file holds from `size` on. */
  forget(list: HeldList, size: number): void {
    this.unfinished.files[list].truncate(size)
    for (const [id, { place }] of this.#known[list]) if (place.offset >= size) this.#known[list].delete(id)
  }

  /** Every id, the oldest first: lists come newest first. */
  ids = (list: HeldList): string[] => [...this.#known[list].keys()].reverse()

  /** The ids of each holder, by position, then the oldest first. */
  byHolder(list: HeldList): Map<string, string[]> {
    const held = new Map<string, string[]>()
    for (const id of this.ids(list)) {
      const holder = this.#known[list].get(id)?.in ?? ''
      const ids = held.get(holder)
      if (ids) ids.push(id)
      else held.set(holder, [id])
    }
    const position = (id: string) => this.#known[list].get(id)?.position ?? 0
    for (const ids of held.values()) ids.sort((one, other) => position(one) - position(other))
    return held
  }
}
