import { computed, signal } from '@preact/signals'
import { sendCall } from './api/call.js'
import type { Clock } from './api/shapes.js'
import { onEvent, onResync } from './live/connection.js'

/** The emulator's clock as it was last told; undefined until then. */
export const clock = signal<Clock | undefined>(undefined)
const machine = signal(Date.now())

/** The emulator's time in ms, a second exact. */
export const now = computed(() => {
  const state = clock.value
  if (!state) return machine.value
  return state.frozen ? Date.parse(state.now) : machine.value + state.offset
})

/** Whether times on the page are not those of this machine. console: Manners */
export const isOtherTime = computed(
  () => clock.value !== undefined && (clock.value.frozen || Math.abs(clock.value.offset) > 2_000),
)

const reread = () =>
  sendCall<Clock>({ method: 'GET', path: '/_admin/clock' }).then(
    (state) => {
      clock.value = state
    },
    // What is wrong is said by the view and the connection's state.
    () => {},
  )

/** Keeps `clock` and `now` going. */
export function followClock(): void {
  void reread()
  onResync(() => void reread())
  onEvent('clock', (state) => {
    clock.value = state as Clock
  })
  setInterval(() => {
    machine.value = Date.now()
  }, 1_000)
}

const pad = (value: number, width = 2) => String(value).padStart(width, '0')

/** `12:03:11`, in UTC as on the wire. */
export const timeOfDay = (at: string) => at.slice(11, 19)
/** `.042` */
export const millisecondsOf = (at: string) => at.slice(19, 23)
export const dateOf = (at: string) => at.slice(0, 10)
/** `2026-01-01 12:03:11` */
export const dateTime = (at: string) => at.slice(0, 19).replace('T', ' ')

/** How long from now: `in 3 min`, `2 h ago`. */
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
]

/** A length of time in its largest unit. */
export function spanOf(ms: number): string {
  const [unit, size] = units.find(([, length]) => ms >= length) ?? ['s', 1_000]
  return `${Math.floor(ms / size)} ${unit}`
}

/** `12 ms`, `1.2 s` */
export const durationOf = (ms: number) =>
  ms < 1_000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`

/** The emulator's time as the header shows it. */
export const nowText = computed(() => {
  const date = new Date(now.value)
  return `${date.toISOString().slice(0, 10)} ${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())}`
})
