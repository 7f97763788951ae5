import { signal } from '@preact/signals'
import type { Call } from '../api/call.js'

export interface ShownCalls {
  calls: Call[]
  /** `done in 12 ms`; undefined before the calls have been made. */
  result?: string
}

/** The calls in the bar at the foot: of the action that has the pointer or the focus, or that was made last. */
export const shownCalls = signal<ShownCalls | undefined>(undefined)

/** Moves the focus to an element without its calls: the bar keeps those that were made. */
export function refocus(element: HTMLElement | null | undefined): void {
  const shown = shownCalls.value
  element?.focus({ preventScroll: true })
  shownCalls.value = shown
}
