import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { aroundOf, assign, Button, buttonsNear, findElement, focused, refocus } from './button.js'

/** The dialog that is open. The shell renders it: it outlives the record whose button opened it. */
export const openDialog = signal<ComponentChildren>(undefined)
export const closeDialog = assign(openDialog, undefined)
// A step of the browser's history leads to what the dialog would lie over.
addEventListener('hashchange', closeDialog)

interface DialogProps {
  title: string
  onClose?: () => void
  children: ComponentChildren
}

/** A modal dialog: as `openDialog`. */
export function Dialog({ title, onClose = closeDialog, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = focused()
    const around = aroundOf(before)
    ref.current?.showModal()
    return () => {
      // The opener may be gone, such as a row or a link to the form.
      refocus(before?.isConnected ? before : (buttonsNear(around)[0] ?? findElement('main button')))
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link that is followed with a key is clicked, too
    <dialog
      ref={ref}
      aria-label={title}
      onClose={onClose}
      // A link within the page leads to what the dialog would lie over.
      onClick={({ target }) => target instanceof Element && target.closest('a[href^="#"]') && onClose()}
    >
      <h2>{title}</h2>
      {children}
    </dialog>
  )
}

/** The last line of a dialog: its own button, if it has one, and the one that closes it. */
export const DialogActions = ({ onClose = closeDialog, children }: Partial<Omit<DialogProps, 'title'>>) => (
  <div class="actions">
    {children}
    <Button look={children ? 'quiet' : ''} onClick={onClose}>
      {children ? 'Cancel' : 'Close'}
    </Button>
  </div>
)
