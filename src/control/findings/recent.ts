/** A map that forgets what was set longest ago: what judges remember is bounded, however long a run lasts. */
export class Recent<K, V> {
  readonly #entries = new Map<K, V>()

  constructor(readonly most = 5_000) {}

  get(key: K): V | undefined {
    return this.#entries.get(key)
  }

  get size(): number {
    return this.#entries.size
  }

  has(key: K): boolean {
    return this.#entries.has(key)
  }

  set(key: K, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.most) return
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined) this.#entries.delete(oldest)
  }

  delete(key: K): void {
    this.#entries.delete(key)
  }

  *[Symbol.iterator](): Generator<[K, V]> {
    yield* this.#entries
  }

  clear(): void {
    this.#entries.clear()
  }
}
