// src/store/ordered-list.ts
var CHUNK = 512;
var OrderedList = class {
  constructor(compare) {
    this.compare = compare;
  }
  compare;
  #chunks = [];
  #size = 0;
  get size() {
    return this.#size;
  }
  /** Replaces the content by `records`, in any order. */
  load(records) {
    const sorted = records.toSorted(this.compare);
    this.#chunks = [];
    for (let start = 0; start < sorted.length; start += CHUNK) this.#chunks.push(sorted.slice(start, start + CHUNK));
    this.#size = sorted.length;
  }
  insert(record) {
    const { chunk, slot } = this.#locate(record);
    const target = this.#chunks[chunk];
    if (!target) this.#chunks.push([record]);
    else {
      target.splice(slot, 0, record);
      if (target.length > 2 * CHUNK) this.#chunks.splice(chunk + 1, 0, target.splice(CHUNK));
    }
    this.#size++;
  }
  /** Removes the record that compares equal to `record`. */
  remove(record) {
    const { chunk, slot } = this.#locate(record);
    const target = this.#chunks[chunk];
    if (!target?.[slot] || this.compare(target[slot], record) !== 0) return;
    target.splice(slot, 1);
    if (target.length === 0) this.#chunks.splice(chunk, 1);
    this.#size--;
  }
  /** How many records come before `record`, which need not be in the list. */
  rank(record) {
    const { chunk, slot } = this.#locate(record);
    let before = slot;
    for (let index = 0; index < chunk; index++) before += this.#chunks[index]?.length ?? 0;
    return before;
  }
  at(rank) {
    let left = rank;
    for (const chunk of this.#chunks) {
      if (left < chunk.length) return chunk[left];
      left -= chunk.length;
    }
    return void 0;
  }
  /** From the first to the last. */
  *[Symbol.iterator]() {
    for (const chunk of this.#chunks) yield* chunk;
  }
  /** From the last to the first, beginning with the record of rank `before - 1`. */
  *backwards(before = this.#size) {
    let above = this.#size;
    for (let index = this.#chunks.length - 1; index >= 0; index--) {
      const chunk = this.#chunks[index];
      above -= chunk.length;
      for (let slot = Math.min(chunk.length, before - above) - 1; slot >= 0; slot--) yield chunk[slot];
    }
  }
  /** The first place whose record does not come before `record`. */
  #locate(record) {
    const last = this.#chunks.length - 1;
    if (last < 0) return { chunk: 0, slot: 0 };
    const chunk = firstIndex(last, (index) => this.compare(lastOf(this.#chunks[index]), record) >= 0);
    const records = this.#chunks[chunk];
    return { chunk, slot: firstIndex(records.length, (slot) => this.compare(records[slot], record) >= 0) };
  }
};
var lastOf = (list) => list[list.length - 1];
function firstIndex(end, holds) {
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = low + high >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

// src/store/collection.ts
function byCreation(a, b) {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1;
  return a.sequence - b.sequence;
}
var Collection = class {
  #records = /* @__PURE__ */ new Map();
  #indexes = /* @__PURE__ */ new Map();
  all = new OrderedList(byCreation);
  constructor(declarations) {
    for (const [name, { key, compare = byCreation }] of Object.entries(declarations)) {
      this.#indexes.set(name, { key, compare, lists: /* @__PURE__ */ new Map(), empty: new OrderedList(compare) });
    }
  }
  get(id) {
    return this.#records.get(id);
  }
  /** The records whose `index` key is `key`, as a live list. Do not keep it across a change. */
  in(index, key) {
    const { lists, empty } = this.#index(index);
    return lists.get(key) ?? empty;
  }
  /** The first record whose `index` key is `key`: for keys that name one record. */
  by(index, key) {
    return this.in(index, key).at(0);
  }
  /** For the store alone: puts, replaces (`record`) or removes (undefined), and gives back what was there. */
  write(id, record) {
    const before = this.#records.get(id);
    if (before) {
      this.all.remove(before);
      for (const index of this.#indexes.values()) unindex(index, before);
    }
    if (record) {
      this.#records.set(id, record);
      this.all.insert(record);
      for (const index of this.#indexes.values()) listFor(index, record)?.insert(record);
    } else this.#records.delete(id);
    return before;
  }
  /** For the store alone: fills an empty collection at once. */
  load(records) {
    for (const record of records) this.#records.set(record.id, record);
    this.all.load([...this.#records.values()]);
    for (const index of this.#indexes.values()) {
      const groups = /* @__PURE__ */ new Map();
      for (const record of this.#records.values()) {
        const key = index.key(record);
        if (key === null) continue;
        const group = groups.get(key);
        if (group) group.push(record);
        else groups.set(key, [record]);
      }
      for (const [key, group] of groups) {
        const list = new OrderedList(index.compare);
        list.load(group);
        index.lists.set(key, list);
      }
    }
  }
  #index(name) {
    const index = this.#indexes.get(name);
    if (!index) throw new Error(`There is no index ${name}`);
    return index;
  }
};
function listFor(index, record) {
  const key = index.key(record);
  if (key === null) return void 0;
  let list = index.lists.get(key);
  if (!list) {
    list = new OrderedList(index.compare);
    index.lists.set(key, list);
  }
  return list;
}
function unindex(index, record) {
  const key = index.key(record);
  const list = key === null ? void 0 : index.lists.get(key);
  list?.remove(record);
  if (key !== null && list?.size === 0) index.lists.delete(key);
}

export {
  byCreation,
  Collection
};
