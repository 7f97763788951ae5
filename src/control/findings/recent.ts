/** Entries that a judge remembers, so that its memory stays bounded however long a run lasts. */
const LIMIT = 5_000

/** A map that drops the entry that was set longest ago when it has too many. */
export class Recent<K, V> extends Map<K, V> {
  override set(key: K, value: V): this {
    this.delete(key)
    super.set(key, value)
    if (this.size > LIMIT) this.delete(this.keys().next().value as K)
    return this
  }
}
