import { batch, computed, signal } from '@preact/signals'
import { callOf, type Entry } from '../api/call.js'
import { createFollowedList, IN_MEMORY } from '../api/followed-list.js'
import { onEvents } from '../api/stream.js'
import { address, search } from '../components/address.js'
import { findElement } from '../components/button.js'
import { classOf, scrollTo, statusClasses } from '../components/facts.js'
import { bodyText } from '../components/message.js'
import { ownersOf, pathOfEntry, titleOf } from './describe-entry.js'

/** The entry with the focus or in the details: it stays in the list, however many come. */
export const keptEntry = signal<Entry | undefined>(undefined)

/** The journal, which is followed also while the list is paused. */
export const journal = createFollowedList(
  callOf('listRequests', { query: { limit: IN_MEMORY } }),
  'request',
  'requests',
  (loaded) => {
    if (!loaded.some(({ id }) => id === keptEntry.value?.id)) keptEntry.value = undefined
    if (paused.value) showFrozen(loaded)
  },
)

const frozen = signal<Entry[] | undefined>(undefined)
export const paused = computed(() => frozen.value !== undefined)
/** The number of entries that came while the list was paused: more than are kept. */
export const waitingCount = signal(0)
export const entries = computed(() => frozen.value ?? journal.items.value)

/** Stops the list at these entries; undefined lets it run again. */
function showFrozen(shown: Entry[] | undefined): void {
  frozen.value = shown
  waitingCount.value = 0
}

/** Stops the list, or adds the entries that came meanwhile. */
export const togglePause = () => batch(() => showFrozen(paused.value ? undefined : entries.value))

onEvents('request', (news) => {
  if (paused.value) waitingCount.value += news.length
  else keepInView()
})

/** Keeps the row with the focus in view, if it is, when the next frame has others above it. */
function keepInView(): void {
  const row = findElement('[data-row]:focus')
  const bottom = row?.getBoundingClientRect().bottom ?? 0
  if (bottom > 0 && bottom <= innerHeight) requestAnimationFrame(() => scrollTo(row))
}

const texts = new WeakMap<Entry, string>()

/** Returns the text of an entry that a search looks in: its row, headers and bodies. */
function textOf(entry: Entry): string {
  const known = texts.get(entry)
  if (known !== undefined) return known
  const { status, reason, mark, request, response } = entry
  const summary = `${titleOf(entry)} ${pathOfEntry(entry)}`
  const row = [status, statusClasses[classOf(status)][1], summary, ownersOf(entry), reason, mark]
  const messages = [request, response].flatMap((message) => [
    ...Object.entries(message.headers).map((header) => header.join(': ')),
    bodyText(message),
    bodyText(message, 0),
  ])
  const text = [...row, ...messages].join('\n').toLowerCase()
  texts.set(entry, text)
  return text
}

/** Refused or failed, on either side: a redirect too, when there is a reason not to be content with it. */
export const isTrouble = ({ status, reason }: Entry) =>
  status === null || status >= 400 || (status >= 300 && reason !== null)
export const troubleCount = computed(() => entries.value.filter(isTrouble).length)

/** The filters of the list, by their names in the address's query: each compares an entry with its value. */
const filters: Record<string, (entry: Entry, wanted: string) => boolean> = {
  surface: ({ surface }, wanted) => surface === wanted,
  app: ({ app }, wanted) => app === wanted,
  mark: ({ mark = '' }, wanted) => `${mark} › `.startsWith(`${wanted} › `),
  organization: ({ organization }, wanted) => organization === wanted,
  status: (entry, wanted) => (wanted === 'trouble' ? isTrouble(entry) : classOf(entry.status) === wanted),
  trace: ({ trace_id }, wanted) => trace_id === wanted,
  text: (entry, wanted) => textOf(entry).includes(wanted.trim().toLowerCase()),
}
export const filterNames = Object.keys(filters)

/** The tests and steps that entries belong to: a test includes its steps. */
export const marks = computed(() => [
  ...new Set(entries.value.flatMap(({ mark }) => (mark ? [mark.split(' › ', 1).join(), mark] : []))),
])

const matches = computed(() => {
  const given = [...new URLSearchParams(search.value)].filter(([, value]) => value !== '')
  return (entry: Entry) => given.every(([name, value]) => filters[name]?.(entry, value) ?? true)
})

export const matching = computed(() => entries.value.filter(matches.value))
/** Returns true when the filters look at a part of the journal only: the newest entries. */
export const isPartial = () => isFiltered() && entries.value.length >= IN_MEMORY
export const isFiltered = () => filterNames.some((name) => address.value.query.get(name))

/** The entry that stays in the list, unless the filters leave it out. */
export const shownEntry = computed(() =>
  keptEntry.value && matches.value(keptEntry.value) ? keptEntry.value : undefined,
)

export const findEntry = (id: string): Entry | undefined =>
  entries.value.find((entry) => String(entry.id) === id) ??
  (String(keptEntry.value?.id) === id ? keptEntry.value : undefined)
