/** Something that the document could not hold as the platform has it. */
export interface Approximation {
  /** Of which resource, as it is called in a list of them: `elements`. */
  resource: string
  /** Where in it, without the places in arrays: `properties.questions.type`. Empty: the whole of it. */
  field: string
  /** What became of it: `is not known; left out`. */
  what: string
  count: number
  /** Ids of the first few. */
  ids: string[]
}

const EXAMPLES = 3

/** What is kept only as near as it can be, counted, so that nothing is dropped in silence. Values are never in it. */
export class Approximations {
  readonly #all = new Map<string, Approximation>()

  constructor(earlier: Approximation[] = []) {
    for (const one of earlier) this.#all.set(keyOf(one), { ...one, ids: [...one.ids] })
  }

  /** @param id of the record, an id that fixture documents take. */
  note(resource: string, field: string, what: string, id?: string): void {
    const key = keyOf({ resource, field, what })
    const one = this.#all.get(key) ?? { resource, field, what, count: 0, ids: [] }
    one.count++
    if (id !== undefined && one.ids.length < EXAMPLES && !one.ids.includes(id)) one.ids.push(id)
    this.#all.set(key, one)
  }

  list = (): Approximation[] => [...this.#all.values()]
}

const keyOf = ({ resource, field, what }: Pick<Approximation, 'resource' | 'field' | 'what'>) =>
  `${resource} ${field} ${what}`
