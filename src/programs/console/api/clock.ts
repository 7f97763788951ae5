import { computed, signal } from '@preact/signals'
import { callOf } from './call.js'
import { createLoader } from './loader.js'
import { onEvents, onResync } from './stream.js'

const { data, load } = createLoader(callOf('clock'))
export const clock = data
const machineTime = signal(Date.now())

/** The emulator's time in ms, to the second. */
export const now = computed(() => {
  const state = clock.value
  if (!state) return machineTime.value
  return state.frozen ? Date.parse(state.now) : machineTime.value + state.offset
})

/** Says why times on the page differ from those of this machine; empty when none does. console: Manners */
export const timeNotice = computed(() => {
  const { frozen = false, offset = 0, organizations = [] } = clock.value ?? {}
  return [
    frozen ? 'clock stopped' : Math.abs(offset) > 2_000 && 'clock moved',
    organizations.length > 0 && `own clocks: ${organizations.length}`,
  ]
    .filter(Boolean)
    .join(', ')
})

/** Keeps `clock` and `now` up to date. The view and the state of the connection show a problem. */
export function followClock(): void {
  void load()
  onResync(load)
  onEvents('clock', (states) => {
    clock.value = states.at(-1)
  })
  setInterval(() => {
    machineTime.value = Date.now()
  }, 1_000)
}

const ownClock = (organization: unknown) =>
  clock.value?.organizations.find((each) => each.organization === organization)

/** Returns the time in ms of an organization, which follows the emulator's clock unless it has its own. */
export function nowIn(organization: unknown): number {
  const own = ownClock(organization)
  return own?.frozen ? Date.parse(own.now) : now.value + (own?.offset ?? 0)
}

/** Returns the milliseconds until a time, on the clock of an organization if it has its own. */
export const remaining = (at: string | null, organization: unknown) => Date.parse(at ?? '') - nowIn(organization)

/** Returns true when that time is over; see `remaining`. */
export const isOver = (at: string | null, organization: unknown) => remaining(at, organization) <= 0

/** Returns the call that advances the clock to a time; see `remaining`. */
export const advanceTo = (at: string, organization: string | undefined) =>
  callOf('advanceClock', {
    body: {
      by: Math.ceil(Math.max(1, remaining(at, organization))),
      ...(ownClock(organization) && { organization }),
    },
  })

/** `12:03:11`, in UTC as on the wire. */
export const timeOfDay = (at: string) => at.slice(11, 19)
/** `.042` */
export const millisecondsOf = (at: string) => at.slice(19, 23)
export const dateOf = (at: string) => at.slice(0, 10)
/** `2026-01-01 12:03:11 UTC` */
export const dateTime = (at: string) => `${at.slice(0, 19).replace('T', ' ')} UTC`

export const textOfTime = (ms: number) => dateTime(new Date(ms).toISOString())
export const nowText = computed(() => textOfTime(now.value))
export const today = computed(() => dateOf(nowText.value))

/** Returns the distance from now: `in 3 min`, `2 h ago`; see `remaining`. */
export function fromNow(at: string, organization?: unknown): string {
  const ms = remaining(at, organization)
  if (Math.abs(ms) < 1_000) return 'now'
  return ms > 0 ? `in ${formatSpan(ms)}` : `${formatSpan(-ms)} ago`
}

const spanUnits: [string, number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
  ['ms', 1],
]

/** Returns a length of time in its largest unit, rounded down. What passes while a response is read makes no difference. */
export function formatSpan(ms: number): string {
  const [unit, size] = spanUnits.find(([, length]) => ms > length * 0.99) ?? ['ms', 1]
  return `${Math.floor(ms / size + 0.01)} ${unit}`
}

/** `12 ms`, `1.2 s` */
export const formatDuration = (ms: number) =>
  ms < 1_000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
