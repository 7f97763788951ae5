import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'

/** A handler that sets the signal. */
export const assign =
  <T,>(target: Signal<T>, value: T) =>
  () => {
    target.value = value
  }

/** Properties of a control for the text in the signal. */
export const textOf = (target: Signal<string>) => ({
  value: target.value,
  onInput: ({ currentTarget }: { currentTarget: { value: string } }) => {
    target.value = currentTarget.value
  },
})

type ButtonProps = Omit<JSX.IntrinsicElements['button'], 'class'> & {
  /** Its classes; small and quiet when left out. */
  look?: string
}

/** A button that is disabled keeps the focus, which a browser takes from one with the attribute `disabled`. */
export const Button = ({ look = 'small quiet', disabled, onClick, ...rest }: ButtonProps) => (
  <button type="button" class={look} aria-disabled={disabled} onClick={disabled ? undefined : onClick} {...rest} />
)

export const findElement = (selector: string) => document.querySelector<HTMLElement>(selector)

/** The element with the focus; null when the page itself has it. */
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
