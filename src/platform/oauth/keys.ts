import { hash } from 'node:crypto'
import type { KeyRing } from '../../emulator/world/parts.js'
import type { World } from '../../emulator/world/world.js'
import { Refusal } from '../../foundation/http/refusal.js'
import { ascending } from '../../foundation/store/collection.js'
import { type KeyPair, returnKeyPair, takeKeyPair, testKeyPair } from './key-pairs.js'
import type { KeyRecord } from './key-record.js'

export function createKeyRing(getWorld: () => World): KeyRing {
  /** The pairs of keys that this ring has made, by kid. A restored record without its halves gets the same ones. */
  const pairs = new Map<string, Promise<KeyPair>>()
  const wireKids = new Map<string, string>()
  let first: { pair: Promise<KeyPair>; kid: string | undefined } | undefined

  const current = () => [...getWorld().store.keys.all].filter(({ retired }) => !retired).reverse()

  const add = (kid: string, pair: KeyPair | undefined, signs_from?: string): KeyRecord => {
    const { store, clock } = getWorld()
    const { private_jwk = {}, public_jwk = {} } = pair ?? {}
    const dated = { id: kid, created_at: clock.timestamp(null), ...(signs_from && { signs_from }) }
    const key = { ...dated, private_jwk, public_jwk, retired: false }
    return ifWritable(() => store.change((tx) => tx.add('keys', key))) ?? { ...key, sequence: 0 }
  }

  const addSeeded = (seed: string, signs_from?: string): KeyRecord => {
    const { random, store } = getWorld()
    // World 2 of the seed `s` has the seed `s:2`, and begins two keys further on. control-api: "Worlds"
    const [base = seed, ...places] = seed.split(/:(?=\d{1,3}(?::\d{1,3})*$)/)
    const start = places.reduce((sum, place) => sum + Number(place), hash('sha256', base, 'buffer').readUInt32BE())
    // A later key has another kid each time that it is made, or an app would know it from before a restore.
    const kidOf = (number: number) =>
      hash('sha256', number === 0 ? `${seed}:0` : `${seed}:${number}:${random.draws}`, 'base64url').slice(0, 16)
    let number = store.keys.all.size
    while (store.isTaken(kidOf(number))) number++
    return add(kidOf(number), testKeyPair(start + number), signs_from)
  }

  /** The first key of a world has one kid and one pair as long as this ring lives: verifiers keep keys over a reset. */
  const addFirst = (): KeyRecord => {
    const { settings, random } = getWorld()
    if (settings.seed !== undefined) return addSeeded(settings.seed)
    first ??= { pair: takeKeyPair(), kid: undefined }
    first.kid ??= random.id()
    pairs.set(first.kid, first.pair)
    return add(first.kid, undefined)
  }

  const withKeyPair = async (key: KeyRecord): Promise<KeyRecord> => {
    if (key.public_jwk.n) return key
    const pending = pairs.get(key.id) ?? takeKeyPair()
    pairs.set(key.id, pending)
    const pair = await pending
    const { store } = getWorld()
    // Meanwhile the world may have become another, or a second request may have filled it in.
    const now = store.keys.get(key.id)
    if (now && !now.public_jwk.n) ifWritable(() => store.change((tx) => tx.put('keys', { ...now, ...pair })))
    return { ...key, ...pair }
  }

  const activeKeys = () => {
    const keys = current()
    return keys.length > 0 ? keys : [addFirst()]
  }

  return {
    prepare() {
      const { settings, store } = getWorld()
      // After a reset the first key is the one that this ring has had before.
      if (settings.seed === undefined && store.keys.all.size === 0) first ??= { pair: takeKeyPair(), kid: undefined }
    },
    signingKey() {
      const keys = activeKeys()
      const now = getWorld().clock.timestamp(null)
      const able = keys.filter(({ signs_from }) => signs_from === undefined || signs_from <= now)
      // The one whose time came last, which need not be the newest.
      const signs = able.sort(ascending(({ signs_from, created_at }) => signs_from ?? created_at)).at(-1)
      return withKeyPair(signs ?? (keys.at(-1) as KeyRecord))
    },
    wireKid(id, proposed = id) {
      const kid = wireKids.get(id) ?? proposed
      wireKids.set(id, kid)
      return kid
    },
    published: () => Promise.all(activeKeys().map(withKeyPair)),
    rotate({ retire, after }) {
      const { store, settings, random, clock } = getWorld()
      const signs_from = after === undefined ? undefined : clock.timestamp(null, after)
      return store.change((tx) => {
        const earlier = activeKeys()
        if (retire) for (const key of earlier) tx.put('keys', { ...key, retired: true })
        const retired = retire ? earlier.map(({ id }) => id) : []
        if (settings.seed !== undefined) return { key: addSeeded(settings.seed, signs_from), retired }
        const kid = random.id()
        pairs.set(kid, takeKeyPair())
        return { key: add(kid, undefined, signs_from), retired }
      })
    },
    close() {
      if (first && first.kid === undefined) returnKeyPair(first.pair)
      first = undefined
    },
  }
}

/** Saves a key; undefined while the store cannot be written: reads need a key, too, and get it from memory. */
function ifWritable<T>(save: () => T): T | undefined {
  try {
    return save()
  } catch (error) {
    if (error instanceof Refusal && error.refusal === 'store_unwritable') return undefined
    throw error
  }
}
