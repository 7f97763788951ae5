import { expect, test } from 'vitest'
import { byCreation, Collection, type Entity } from '../../src/foundation/store/collection.js'

interface Item extends Entity {
  group: string | null
  rank: number
}

const COUNT = 2600
const collectionOf = () =>
  new Collection<Item, 'group' | 'ranked'>({
    group: { key: ({ group }) => group },
    ranked: { key: () => 'all', compare: (a, b) => a.rank - b.rank },
  })

/** Numbers below `end` that look random, the same ones each time. */
function drawer() {
  let state = 1
  return (end: number) => {
    state = (state * 48271) % 2147483647
    return state % end
  }
}

/** Compares a collection with expected items, sorted and filtered. */
function expectSame(collection: Collection<Item, 'group' | 'ranked'>, items: Map<string, Item>): void {
  const all = [...items.values()].sort(byCreation)
  expect([...collection.all]).toEqual(all)
  expect(collection.all.size).toBe(all.length)
  expect([...collection.all.backwards()]).toEqual(all.toReversed())
  for (const before of [0, 1, 511, 512, 513, 1025, all.length]) {
    if (before > all.length) continue
    expect([...collection.all.backwards(before)]).toEqual(all.slice(0, before).reverse())
    expect(collection.all.at(before)).toBe(all[before])
  }
  for (const [rank, item] of all.entries()) if (rank % 97 === 0) expect(collection.all.rank(item)).toBe(rank)
  expect([...collection.in('ranked', 'all')]).toEqual([...all].sort((a, b) => a.rank - b.rank))
  for (const group of ['even', 'odd', 'none']) {
    const members = all.filter((item) => item.group === group)
    expect([...collection.in('group', group)]).toEqual(members)
    expect(collection.by('group', group)).toBe(members[0])
  }
  expect(collection.isIndexed('group')).toBe(all.some(({ group }) => group !== null))
}

test('records are found by id, in order, by rank and by key, whatever is put, replaced and removed', () => {
  const draw = drawer()
  const items = new Map<string, Item>()
  const collection = collectionOf()
  const write = (id: string, item: Item | undefined) => {
    const before = items.get(id)
    if (item) items.set(id, item)
    else items.delete(id)
    expect(collection.write(id, item)).toBe(before)
    expect(collection.get(id)).toBe(item)
  }
  const itemOf = (index: number): Item => ({
    id: `i${index}`,
    sequence: index,
    created_at: `2026-01-0${1 + draw(3)}T00:00:00.000Z`,
    group: ['even', 'odd', null][draw(3)] as string | null,
    rank: index + draw(2) * 10_000,
  })
  expectSame(collection, items)
  const order = Array.from({ length: COUNT }, (_, index) => index).sort(() => draw(3) - 1)
  for (const index of order) write(`i${index}`, itemOf(index))
  expectSame(collection, items)
  for (let times = 0; times < 1000; times++) {
    const index = draw(COUNT)
    write(`i${index}`, draw(2) === 0 ? undefined : itemOf(index))
  }
  expectSame(collection, items)

  const loaded = collectionOf()
  loaded.load([...items.values()])
  expectSame(loaded, items)
  for (const item of [...items.values()]) write(item.id, undefined)
  expectSame(collection, items)
})

test('what is not in a list has the rank of its place, and one of two equals is removed, not the other', () => {
  const item = (sequence: number) => ({ id: `i${sequence}`, sequence, created_at: '', group: null, rank: 0 })
  const { all } = collectionOf()
  for (const sequence of [1, 3, 5]) all.insert(item(sequence))
  expect([...all].map(({ sequence }) => sequence)).toEqual([1, 3, 5])
  expect([0, 1, 2, 6].map((sequence) => all.rank(item(sequence)))).toEqual([0, 0, 1, 3])
  expect(all.at(3)).toBeUndefined()

  const equals = Array.from({ length: COUNT }, () => item(3))
  for (const each of equals) all.insert(each)
  for (const each of equals) all.remove(each)
  expect([...all].map(({ sequence }) => sequence)).toEqual([1, 3, 5])
  expect(all.size).toBe(3)
  expect(equals).not.toContain(all.at(1))
})
