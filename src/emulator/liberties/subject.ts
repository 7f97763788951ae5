import type { LibertyName } from '../world/liberty-names.js'
import { Chance } from './chance.js'
import type { Acts, Changed, Changes, Turn } from './liberty.js'
import { libertyTable } from './liberty-table.js'

/** A seed, and the liberties that it works with, in the table's order. */
export interface InForce {
  seed: string
  names: LibertyName[]
}

/** An exchange or an event, and the liberties that it has met. */
export class Subject {
  readonly taken = new Set<LibertyName>()
  readonly #turns = new Map<LibertyName, Turn>()

  /** @param number of it among those of its operation and organization. */
  constructor(
    readonly inForce: InForce,
    readonly about: Pick<Turn, 'world' | 'context' | 'operation' | 'organization' | 'app'>,
    readonly number: number,
  ) {}

  /** Returns the liberties in force that have an act, each with its turn. */
  acting<A extends keyof Acts>(act: A) {
    return this.inForce.names.flatMap((name) => {
      const { [act]: run } = libertyTable[name] as Partial<Acts>
      return run ? [{ name, run: run as NonNullable<Acts[A]>, turn: this.#turnOf(name) }] : []
    })
  }

  /** Returns a value as the liberties that have the act leave it, one after the other. */
  changed<A extends keyof Changed>(act: A, value: Changed[A]): Changed[A] {
    return this.acting(act).reduce<Changed[A]>((given, { name, run, turn }) => {
      const changed = (run as Changes[A])(given, turn)
      const isOther = act === 'json' ? JSON.stringify(changed) !== JSON.stringify(given) : changed !== given
      if (isOther) this.taken.add(name)
      return changed
    }, value)
  }

  /** The turn of a liberty: the same for all of its acts. */
  #turnOf(name: LibertyName): Turn {
    const known = this.#turns.get(name)
    if (known) return known
    const { operation, organization } = this.about
    const chance = (...key: unknown[]) => new Chance(JSON.stringify([this.inForce.seed, name, ...key]))
    const turn: Turn = {
      ...this.about,
      kept: (...key) => chance('kept', ...key),
      fresh: chance('fresh', operation, organization, this.number),
      take: () => void this.taken.add(name),
    }
    this.#turns.set(name, turn)
    return turn
  }
}
