import { isObject } from '../../foundation/schema/is-object.js'
import { Chance } from './chance.js'
import type { Changes, Liberty, Turn } from './liberty.js'

/** Members whose value is the owner's, or that a write of what was read must not have more of. spec: §2.1 */
const owned = new Set(['metadata', 'properties', 'custom_fields', 'value'])

type Visit = (object: Record<string, unknown>, path: string) => Record<string, unknown>

/** Returns a copy in which `visit` has changed every object, the inner ones first. @param closed members not entered. */
function mapObjects(value: unknown, visit: Visit, closed: ReadonlySet<string> = owned, path = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, visit, closed, path))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    closed.has(name) ? inner : mapObjects(inner, visit, closed, `${path}.${name}`),
  ])
  // Not assigned one by one, since `__proto__` is a key like any other.
  return visit(Object.fromEntries(entries), path)
}

const onMembers =
  (names: string[], change: (value: unknown, turn: Turn) => unknown): Changes['json'] =>
  (body, turn) =>
    mapObjects(body, (object) => {
      const changed = Object.entries(object).map(([name, value]) => [
        name,
        names.includes(name) ? change(value, turn) : value,
      ])
      return Object.fromEntries(changed)
    }) as object

const words = ['revision', 'links', 'locale', 'flags', 'trace', 'source_system', 'etag', 'region', '_meta', 'x-origin']

/** Returns true for the name of a field that `more-fields` may have added. */
export const isMoreField = (name: string): boolean => words.includes(name)

function anyValue(chance: Chance): unknown {
  const scalars = [null, chance.happens(0.5), chance.integer(-9, 9999), chance.characters('abcdefghij ', 12)]
  return chance.of([...scalars, [chance.integer(0, 9)], { self: chance.characters('abcdefghij', 8) }])
}

const clockTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{3})Z$/

export const jsonLiberties = {
  timestamps: {
    varies: 'the same time with six fractional digits, with three, or with as few as needed; `Z` or `+00:00`',
    open: ['wire: §1 "timestamps"'],
    json: onMembers(
      ['created_at', 'updated_at', 'timestamp', 'joined_at', 'last_seen', 'expires_at'],
      (value, turn) => {
        const [, seconds, fraction = ''] = clockTime.exec(String(value)) ?? []
        if (seconds === undefined) return value
        const chance = turn.stableChance(turn.operation)
        const shortest = fraction.replace(/\.?0+$/, '')
        return seconds + chance.of([shortest, fraction, `${fraction}000`]) + chance.of(['Z', '+00:00'])
      },
    ),
  },
  'token-type': {
    varies: '`Bearer`, `bearer` or `BEARER`',
    open: ['RFC 6749 §5.1: the value is case insensitive'],
    json: onMembers(['token_type'], (_, turn) => turn.stableChance(turn.operation).of(['Bearer', 'bearer', 'BEARER'])),
  },
  'scope-order': {
    varies: 'the order of scopes in token responses, credentials and discovery',
    open: ['RFC 6749 §3.3: their order does not matter'],
    json: onMembers(['scope', 'scopes_supported'], (value, turn) =>
      typeof value === 'string'
        ? turn.ownChance.shuffled(value.split(' ')).join(' ')
        : turn.ownChance.shuffled(value as string[]),
    ),
  },
  'more-fields': {
    varies:
      'one to three unknown fields at every level of responses, events, token responses, discovery and keys; not in `metadata` and `custom_fields`, which belong to the owner, nor in `properties`, which clients may send back unchanged ([spec §2.1](platform.md#s2.1))',
    open: [
      'wire: §2 "success"',
      ...['element', 'module', 'course', 'member', 'course_member', 'activity', 'delete'].map(
        (resource) => `wire: §4 "${resource}"`,
      ),
      'wire: §6 "token response"',
      ...['envelope', 'app.installed data', 'app.uninstalled data'].map((part) => `wire: §7 "${part}"`),
    ],
    json: (body, turn) =>
      mapObjects(body, (object, path) => {
        const chance = turn.stableChance(turn.operation, path)
        const names = chance.shuffled(words.filter((word) => !Object.hasOwn(object, word)))
        const more = names.slice(0, chance.integer(1, 3)).map((name) => [name, anyValue(chance)])
        return { ...object, ...Object.fromEntries(more) }
      }) as object,
  },
  'key-order': {
    varies: "the order of an object's members, at every level",
    open: ['RFC 8259 §4: an object is unordered'],
    json(body, turn) {
      const ranks = new Map<string, number>()
      // By name, so that a member more does not change the order of the others.
      const rankOf = (key: string): number => {
        const rank = ranks.get(key) ?? new Chance(`${turn.ownChance.text} ${key}`).fraction()
        ranks.set(key, rank)
        return rank
      }
      const reorder: Visit = (object, path) => {
        const names = Object.keys(object)
        const order = names.toSorted((a, b) => rankOf(`${path}.${a}`) - rankOf(`${path}.${b}`))
        return Object.fromEntries(order.map((name) => [name, object[name]]))
      }
      return mapObjects(body, reorder, new Set()) as object
    },
  },
} satisfies Record<string, Liberty>
