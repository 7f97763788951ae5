import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'

/** Copies a text, and says that it has. Where there is no clipboard (plain http from another machine), by selection. */
async function toClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  const place = document.querySelector('dialog[open]') ?? document.body
  place.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

/** A button that copies what `text` returns. */
export function Copy({ text, label = 'Copy', what }: { text: () => string; label?: string; what?: string }) {
  const done = useSignal(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const copy = async () => {
    await toClipboard(text())
    done.value = true
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      done.value = false
    }, 1_500)
  }
  return (
    <button type="button" class="small quiet copy" onClick={() => void copy()} aria-label={what && `${label} ${what}`}>
      {label}
      <span class="done" role="status">
        {done.value ? ' ✓' : ''}
      </span>
    </button>
  )
}
