import type { Request } from '../../foundation/http/request.js'
import { isObject } from '../../foundation/schema/is-object.js'
import type { Chance } from './chance.js'
import type { Changes, Liberty, TextForm, Turn } from './liberty.js'

const lower = 'abcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'
const letters = lower + lower.toUpperCase()

interface Page {
  data: Record<string, unknown>[]
  next: string | null
}

/** Returns the act that changes the page in a successful response of `/v0`, where there is one. */
const onPage =
  (change: (page: Page, turn: Turn) => Page): Changes['response'] =>
  (response, turn) => {
    const { status, body } = response
    const { payload } = status === 200 && turn.context?.surface.name === 'api' && isObject(body) ? body : {}
    if (!isObject(payload) || !Array.isArray(payload.data)) return response
    const page = payload as unknown as Page
    const changed = change(page, turn)
    if (changed === page) return response
    const notes = { ...response.notes, next: changed.next }
    return { ...response, notes, body: { ...(body as object), payload: changed } }
  }

const requestOf = (turn: Turn) => turn.context?.request as Request

/** Returns true for the first page of a list of all elements, which a search without a query is too. */
const beginsElements = (turn: Turn): boolean => {
  const { query, body } = requestOf(turn)
  const isWhole = body.length === 0 && !['q', 'type', 'page'].some((name) => query.has(name))
  return isWhole && /^api (list|search)Elements/.test(turn.operation)
}

/** Chance that an organization's lists of one operation keep: not their paths, in which ids may differ between runs. */
const ofLists = (turn: Turn): Chance => turn.stableChance(turn.operation, turn.organization)

/** Begin cursors of two alphabets. No plain cursor begins like this. */
const HEXADECIMAL = '!'
const PADDED = '~'

/** Forms of ids with room for at least 2^40 of them. */
const idForms: TextForm[] = [
  { alphabet: digits, size: 13 },
  { alphabet: `${digits}abcdef`, size: 10 },
  { alphabet: lower + digits, size: 8 },
  { alphabet: `${letters + digits}-_`, size: 8 },
  { alphabet: `${letters + digits}-_`, size: 21 },
]

/** Other words for an error. None is a documented one. */
const errorWords = ['This was not possible', 'Request rejected.', 'E-1017', 'Désolé, réessayez « plus tard »', 'no']

export const apiLiberties = {
  'page-size': {
    varies: '1 to the configured page size; a page may be shorter than the one before, and the last page may be empty',
    open: ['wire: §2 "list payload"'],
    pageSize(largest, turn) {
      const usual = ofLists(turn).integer(1, largest)
      return turn.ownChance.happens(0.25) ? turn.ownChance.integer(1, usual) : usual
    },
    endsEmpty: (turn) => turn.ownChance.happens(0.5),
    response: onPage((page, turn) => {
      if (page.next !== null || requestOf(turn).query.has('page')) turn.take()
      return page
    }),
  },
  ties: {
    varies: 'the order of entries within a page; in lists of elements, only of elements created at the same time',
    open: ['wire: §1 "order"', 'wire: §3 "All lists"'],
    response: onPage((page, turn) => {
      const isOrdered = turn.operation === 'api listElements'
      const chance = ofLists(turn)
      const ranked = page.data.map((item) => ({ item, rank: chance.fraction() }))
      ranked.sort((a, b) => {
        const [one, other] = [String(a.item.created_at), String(b.item.created_at)]
        return isOrdered && one !== other ? (one < other ? 1 : -1) : a.rank - b.rank
      })
      return ranked.every(({ item }, index) => item === page.data[index])
        ? page
        : { ...page, data: ranked.map(({ item }) => item) }
    }),
  },
  cursors: {
    varies: 'length (up to 600 characters) and alphabet, with characters that must be percent-encoded in a query',
    open: ['wire: §2 "list payload"'],
    request(turn) {
      const { query } = requestOf(turn)
      const page = query.get('page') ?? ''
      const plain = page.startsWith(HEXADECIMAL)
        ? Buffer.from(page.slice(1), 'hex').toString()
        : page.slice(1, page.lastIndexOf(PADDED))
      // One that the app has changed is left as it is, and refused like every other.
      if (plain !== '' && freeCursor(plain, turn) === page) query.set('page', plain)
    },
    response: onPage((page, turn) => (page.next === null ? page : { ...page, next: freeCursor(page.next, turn) })),
  },
  ids: {
    varies: 'length (8 to 40) and alphabet of new ids, including `-` and `_`; ids of digits only',
    open: ['wire: §1 "ids"'],
    id(turn) {
      const chance = turn.stableChance(turn.operation)
      const { alphabet, size } = chance.of(idForms)
      return { alphabet, size: chance.integer(size, 40) }
    },
  },
  'error-words': {
    varies:
      'the texts of `error` (`/v0`), `details` and `error_description`, except *Insufficient scope* ([spec §7](platform.md#s7))',
    open: ['wire: §2 "error"', 'wire: §2 "statuses"', 'wire: §2 "bearer errors"'],
    response(response, turn) {
      const { status, body, headers = {} } = response
      const words = turn.stableChance(turn.operation, String(status)).of(errorWords)
      const ascii = words.replace(/[^\x20-\x7e]/g, '?')
      const members: Record<string, unknown> = {}
      if (status >= 400 && isObject(body)) {
        if (turn.context?.surface.name === 'api' && body.error !== 'Insufficient scope') {
          if (typeof body.error === 'string') members.error = words
          if (Array.isArray(body.details)) members.details = body.details.map((each) => ({ ...each, message: words }))
        }
        if (body.error_description) members.error_description = ascii
      }
      const written: [string, RegExp, string][] = [
        ['www-authenticate', /(?<=error_description=")[^"]*/, ascii.replaceAll(',', '')],
        ['location', /(?<=[?&]error_description=)[^&]*/, encodeURIComponent(ascii)],
      ]
      const described = written.filter(([name, place]) => place.test(String(headers[name])))
      if (Object.keys(members).length + described.length === 0) return response
      const changed = described.map(([name, place, text]) => [name, String(headers[name]).replace(place, () => text)])
      const free = { ...response, headers: { ...headers, ...Object.fromEntries(changed) } }
      return isObject(body) ? { ...free, body: { ...body, ...members } } : free
    },
  },
  'retry-after': {
    varies: 'seconds, or an HTTP date',
    open: ['wire: §2 "rate limit"'],
    response(response, turn) {
      const seconds = Number(response.headers?.['retry-after'])
      if (!seconds || turn.stableChance(turn.operation).happens(0.5)) return response
      // A date has whole seconds, so that one more is never too early.
      const date = new Date(turn.world.clock.now(turn.organization || null) + (seconds + 1) * 1000).toUTCString()
      return { ...response, headers: { ...response.headers, 'retry-after': date } }
    },
  },
  'unknown-type': {
    varies: 'an element of an undocumented type in lists of elements',
    open: ['spec: §9: compatibility of `/v0` is not shown'],
    // Leaves room for it, also where it does not come.
    pageSize: (largest, turn) => (beginsElements(turn) ? Math.max(1, largest - 1) : largest),
    response: onPage((page, turn) => {
      const [first] = page.data
      const hasRoom = page.data.length < turn.world.settings.page_size
      if (!first || !hasRoom || !beginsElements(turn) || turn.ownChance.happens(0.5)) return page
      const id = ofLists(turn).characters(letters, 16)
      const unknown = { ...first, id, type: 'HOLOGRAM', name: 'Hologram', properties: { depth: 3 } }
      return { ...page, data: [unknown, ...page.data] }
    }),
  },
} satisfies Record<string, Liberty>

/** Returns a cursor in the form of its list. */
function freeCursor(plain: string, turn: Turn): string {
  const chance = ofLists(turn)
  if (chance.happens(0.3)) return HEXADECIMAL + Buffer.from(plain).toString('hex')
  const padding = chance.integer(2, 598 - Math.min(plain.length, 500))
  return `${PADDED}${plain}${PADDED}+&${chance.characters(`${letters}/+=&#%? `, padding - 2)}`
}
