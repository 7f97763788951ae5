import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'

type ButtonProps = Omit<JSX.IntrinsicElements['button'], 'class'> & {
  /** Its classes; small and quiet when left out. */
  look?: string
}

export const Button = ({ look = 'small quiet', ...rest }: ButtonProps) => (
  <button type="button" class={look} {...rest} />
)

/** Copies a text: by selecting it where there is no clipboard, as over plain http from another machine. */
async function copyToClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  const parent = document.querySelector('dialog[open]') ?? document.body
  parent.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

/** A button that copies the text that `text` returns, and confirms it. */
export function Copy({ text, label = 'Copy', what }: { text: () => string; label?: string; what?: string }) {
  const done = useSignal(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const copy = async () => {
    await copyToClipboard(text())
    done.value = true
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      done.value = false
    }, 1_500)
  }
  return (
    <Button look="small quiet copy" onClick={() => void copy()} aria-label={what && `${label} ${what}`}>
      {label}
      <span class="done" role="status">
        {done.value ? ' ✓' : ''}
      </span>
    </Button>
  )
}
