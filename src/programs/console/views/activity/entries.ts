import { batch, computed, signal } from '@preact/signals'
import { address } from '../../address.js'
import { createFollowedList } from '../../api/followed-list.js'
import type { Entry } from '../../api/shapes.js'
import { bodyText } from '../../parts/message.js'
import { classOf } from '../../parts/status.js'

/** So many are kept in memory, and so many drawn. console: Serving, load */
export const IN_MEMORY = 1_000
export const DRAWN = 200

/** Newest first. */
export const entries = signal<Entry[]>([])
/** What came while the list was paused, newest first. */
const held = signal<Entry[]>([])
/** What came in all while it was paused: more than are kept. */
export const heldInAll = signal(0)
export const paused = signal(false)
/** The entries with the focus and in the detail stay, however many come. */
export const keptEntry = signal<Entry | undefined>(undefined)

/** Adds entries to the front of a list; one that is there already is replaced, where it stands. */
function added(list: Entry[], news: Entry[]): Entry[] {
  const byId = new Map(news.map((entry) => [entry.id, entry]))
  const known = list.some(({ id }) => byId.has(id))
  const old = known
    ? list.map((entry) => {
        const other = byId.get(entry.id)
        byId.delete(entry.id)
        return other ?? entry
      })
    : list
  return [...[...byId.values()].reverse(), ...old].slice(0, IN_MEMORY)
}

/** The journal, with `entries` kept as it is. */
export const journal = createFollowedList<Entry>({
  path: `/_admin/requests?limit=${IN_MEMORY}`,
  event: 'request',
  onLoad(data, meanwhile) {
    entries.value = added(data.reverse(), meanwhile)
    if (!entries.value.some(({ id }) => id === keptEntry.value?.id)) keptEntry.value = undefined
    held.value = []
    heldInAll.value = 0
  },
  onNews(news) {
    if (paused.value) {
      heldInAll.value += news.length
      held.value = added(held.value, news)
    } else entries.value = added(entries.value, news)
  },
})

/** Stops the list where it is, or lets in what has come meanwhile. */
export function togglePause(): void {
  batch(() => {
    paused.value = !paused.value
    if (paused.value) return
    entries.value = [...held.value, ...entries.value].slice(0, IN_MEMORY)
    held.value = []
    heldInAll.value = 0
  })
}

/** What the address's query filters by. */
export interface Filters {
  surface: string
  app: string
  organization: string
  status: string
  text: string
}

const filters = computed<Filters>(() => {
  const { query } = address.value
  const of = (name: string) => query.get(name) ?? ''
  return {
    surface: of('surface'),
    app: of('app'),
    organization: of('organization'),
    status: of('status'),
    text: of('text').toLowerCase(),
  }
})

const searched = new WeakMap<Entry, string>()

/** Everything of an entry that a text can be looked for in, bodies too. */
function textOf(entry: Entry): string {
  let text = searched.get(entry)
  if (text === undefined) {
    const { method, path, query, reason, request, response } = entry
    const parts = [
      method,
      path,
      ...Object.values(query),
      reason ?? '',
      bodyText(request.body),
      bodyText(response?.body),
    ]
    text = parts.join('\n').toLowerCase()
    searched.set(entry, text)
  }
  return text
}

/** Refused or failed, on whichever side: what brings a developer here. */
export const isTrouble = ({ status }: Entry) => status === null || status >= 400

const statusMatches = (entry: Entry, wanted: string) =>
  wanted === '' || (wanted === 'trouble' ? isTrouble(entry) : classOf(entry.status) === wanted)

/** Whether an entry is one that the filters ask for. */
const isWanted = computed(() => {
  const { surface, app, organization, status, text } = filters.value
  return (entry: Entry) =>
    (surface === '' || entry.surface === surface) &&
    (app === '' || entry.app === app) &&
    (organization === '' || entry.organization === organization) &&
    statusMatches(entry, status) &&
    (text === '' || textOf(entry).includes(text))
})

export const matching = computed(() => entries.value.filter(isWanted.value))

export const isFiltered = computed(() => Object.values(filters.value).some((value) => value !== ''))

/** Which part of the matching ones is drawn: the newest, or older ones by pages. */
export const firstDrawn = signal(0)

export const drawn = computed(() => {
  const all = matching.value
  const start = Math.min(firstDrawn.value, Math.max(0, all.length - 1))
  const part = all.slice(start, start + DRAWN)
  const keep = keptEntry.value
  const isMissing = keep && start === 0 && isWanted.value(keep) && !part.some(({ id }) => id === keep.id)
  return isMissing ? [...part.slice(0, DRAWN - 1), keep] : part
})

export const findEntry = (id: string): Entry | undefined =>
  entries.value.find((entry) => String(entry.id) === id) ??
  (String(keptEntry.value?.id) === id ? keptEntry.value : undefined)
