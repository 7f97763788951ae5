import { type Signal, signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Call } from '../api/call.js'

/** Returns a handler that sets the signal. */
export const assign =
  <T,>(target: Signal<T>, value: T) =>
  () => {
    target.value = value
  }

/** Properties of a control for the text in the signal. */
export const boundTo = (target: Signal<string>) => ({
  value: target.value,
  onInput: ({ currentTarget }: { currentTarget: { value: string } }) => {
    target.value = currentTarget.value
  },
})

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

type ButtonProps = Omit<JSX.IntrinsicElements['button'], 'class'> & {
  /** Its classes; small and quiet when left out. */
  look?: string
  /** Shown in the bar at the foot while it has the pointer or the focus. */
  calls?: Call[]
}

/** A button that is disabled keeps the focus, which a browser takes from one with the attribute `disabled`. */
export function Button({ look = 'small quiet', disabled, onClick, calls, ...rest }: ButtonProps) {
  const show = calls && assign(shownCalls, { calls })
  const ref = useRef<HTMLButtonElement>(null)
  // Its cleanup comes before the element goes, unlike that of useEffect.
  useLayoutEffect(() => () => passFocus(ref.current), [])
  return (
    <button
      ref={ref}
      type="button"
      class={look}
      aria-disabled={disabled}
      onClick={disabled ? undefined : onClick}
      onFocus={show}
      onPointerEnter={show}
      {...rest}
    />
  )
}

const visibleIn = (element: Element) =>
  [...element.querySelectorAll('button')].filter((button) => button.checkVisibility())

/** Returns the elements of the view that an element is in, the outermost first. */
export const aroundOf = (element: Element | null) =>
  [...document.querySelectorAll('main *')].filter((each) => each.contains(element))

/** Returns the buttons in the innermost of these elements that still has some. */
export const buttonsNear = (around: Element[]) => around.map(visibleIn).findLast(({ length }) => length > 0) ?? []

/** Passes the focus of a button that goes to the next one of those around it, else to the last, else to one that is new. */
function passFocus(gone: HTMLButtonElement | null): void {
  if (!gone || gone !== document.activeElement) return
  const around = aroundOf(gone)
  const known = visibleIn(document.body)
  // After the rendering that removes it has ended.
  queueMicrotask(() => {
    const near = buttonsNear(around)
    const isNear = (button: HTMLButtonElement) => near.includes(button)
    refocus(known.slice(known.indexOf(gone)).find(isNear) ?? known.findLast(isNear) ?? near[0])
  })
}

export const findElement = (selector: string) => document.querySelector<HTMLElement>(selector)

/** Returns the element with the focus; null when the page itself has it. */
export const focused = () => findElement(':focus')

/** Copies a text: by selecting it where there is no clipboard, as over plain http from another machine. */
async function copyToClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const before = focused()
  const area = document.createElement('textarea')
  area.value = text
  const parent = findElement('dialog[open]') ?? document.body
  parent.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
  before?.focus()
}

/** A button that copies the text that `text` returns, and confirms it. */
export function Copy({ text, label = 'Copy', what }: { text: () => string; label?: string; what?: string }) {
  const done = useSignal(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const copy = async () => {
    await copyToClipboard(text())
    done.value = true
    clearTimeout(timer.current)
    timer.current = setTimeout(assign(done, false), 1_500)
  }
  return (
    <Button look="small quiet copy" onClick={() => void copy()} aria-label={what && `${label} ${what}`}>
      {label}
      <span class="status good" role="status">
        {done.value ? ' ✓' : ''}
      </span>
    </Button>
  )
}
