import type { LibertyName } from '../world/liberty-names.js'
import { Chance } from './chance.js'
import type { Acts, Changed, Changes, Turn } from './liberty.js'
import { libertyTable } from './liberty-table.js'

/** A seed, and the liberties that it works with, in the table's order. */
export interface InForce {
  seed: string
  names: LibertyName[]
}

/** Applies the liberties in force to one exchange or event, and collects those that changed it. */
export class Turns {
  readonly taken = new Set<LibertyName>()
  /** Each liberty has one turn, for all of its acts. */
  readonly #turns: { name: LibertyName; turn: Turn }[]

  /** @param number of it among those of its operation and organization. */
  constructor(
    readonly inForce: InForce,
    readonly about: Pick<Turn, 'world' | 'context' | 'operation' | 'organization' | 'app'>,
    number: number,
  ) {
    const { operation, organization } = about
    this.#turns = inForce.names.map((name) => {
      const chance = (...key: unknown[]) => new Chance(JSON.stringify([inForce.seed, name, ...key]))
      const ownChance = chance('fresh', operation, organization, number)
      const take = () => void this.taken.add(name)
      return { name, turn: { ...about, stableChance: (...key) => chance('kept', ...key), ownChance, take } }
    })
  }

  /** Returns the liberties in force that have an act, each with its turn. */
  acting<A extends keyof Acts>(act: A) {
    return this.#turns.flatMap(({ name, turn }) => {
      const { [act]: run } = libertyTable[name] as Partial<Acts>
      return run ? [{ name, run: run as NonNullable<Acts[A]>, turn }] : []
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
}
