import { computed, signal } from '@preact/signals'
import { type Clock, callOf } from './call.js'
import { createLoader } from './loader.js'
import { onEvents, onResync } from './stream.js'

/** The state of the emulator's clock; undefined until it has been read. */
export const clock = signal<Clock | undefined>(undefined)
const machineTime = signal(Date.now())

/** The emulator's time in ms, to the second. */
export const now = computed(() => {
  const state = clock.value
  if (!state) return machineTime.value
  return state.frozen ? Date.parse(state.now) : machineTime.value + state.offset
})

/** True when times on the page differ from those of this machine. console: Manners */
export const isOtherTime = computed(
  () => clock.value !== undefined && (clock.value.frozen || Math.abs(clock.value.offset) > 2_000),
)

/** Keeps `clock` and `now` up to date. The view and the state of the connection show a problem. */
export function followClock(): void {
  const { load } = createLoader(callOf('clock'), (state) => {
    clock.value = state
  })
  void load()
  onResync(load)
  onEvents('clock', (states) => {
    clock.value = states.at(-1)
  })
  setInterval(() => {
    machineTime.value = Date.now()
  }, 1_000)
}

/** True when that time is over in an organization, which may have a clock of its own. */
export function isOver(at: string | null, organization: unknown): boolean {
  const own = clock.value?.organizations.find((each) => each.organization === organization)
  return Date.parse(at ?? '') <= (own?.frozen ? Date.parse(own.now) : now.value + (own?.offset ?? 0))
}

/** `12:03:11`, in UTC as on the wire. */
export const timeOfDay = (at: string) => at.slice(11, 19)
/** `.042` */
export const millisecondsOf = (at: string) => at.slice(19, 23)
export const dateOf = (at: string) => at.slice(0, 10)
/** `2026-01-01 12:03:11 UTC` */
export const dateTime = (at: string) => `${at.slice(0, 19).replace('T', ' ')} UTC`

export const nowText = computed(() => dateTime(new Date(now.value).toISOString()))
export const today = computed(() => dateOf(nowText.value))

/** The distance from now: `in 3 min`, `2 h ago`. */
export function fromNow(at: string): string {
  const ms = Date.parse(at) - now.value
  if (Math.abs(ms) < 1_000) return 'now'
  return ms > 0 ? `in ${spanOf(ms)}` : `${spanOf(-ms)} ago`
}

const units: [string, number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
  ['ms', 1],
]

/** A length of time in its largest unit. */
export function spanOf(ms: number): string {
  const [unit, size] = units.find(([, length]) => ms >= length) ?? ['ms', 1]
  return `${Math.floor(ms / size)} ${unit}`
}

/** `12 ms`, `1.2 s` */
export const durationOf = (ms: number) =>
  ms < 1_000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
