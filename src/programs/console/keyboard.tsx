import { signal } from '@preact/signals'
import { goTo, linkTo } from './address.js'
import { Dialog } from './parts/dialog.js'
import { togglePause } from './views/activity/entries.js'
import { views } from './views/views.js'

const isHelpOpen = signal(false)
/** After `g`, so long the letter may take, in ms. */
const CHORD = 1_500
let chord = 0

const rows = () => [...document.querySelectorAll<HTMLElement>('main [data-row]')]

/** Moves the focus to the row after or before the one that has it. */
function move(step: 1 | -1): void {
  const all = rows()
  const at = all.indexOf(document.activeElement as HTMLElement)
  const open = all.findIndex((row) => row.getAttribute('aria-current') === 'true')
  const next = at >= 0 ? at + step : open >= 0 ? open + step : 0
  all[Math.max(0, Math.min(all.length - 1, next))]?.focus()
}

const press = (selector: string) => document.querySelector<HTMLElement>(selector)?.click()

const keys: Record<string, { does: string; run: () => void }> = {
  j: { does: 'next row', run: () => move(1) },
  k: { does: 'previous row', run: () => move(-1) },
  '/': { does: 'search', run: () => document.querySelector<HTMLInputElement>('main [data-search]')?.focus() },
  p: { does: 'pause or resume Activity', run: togglePause },
  '?': {
    does: 'show this list',
    run: () => {
      isHelpOpen.value = true
    },
  },
  Escape: { does: 'close the details', run: () => press('main [data-close]') },
}

const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable], dialog[open]') !== null

/** Listens to keys that are not meant for a field or a dialog. console: Manners, keyboard */
export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return
    if (isTyping(event.target)) {
      if (event.key === 'Escape' && event.target instanceof HTMLElement) event.target.blur()
      return
    }
    const view = Date.now() - chord < CHORD ? views.find(({ key }) => key === event.key) : undefined
    chord = event.key === 'g' ? Date.now() : 0
    const run = view ? () => goTo(linkTo(view.name)) : keys[event.key]?.run
    if (!run) return
    event.preventDefault()
    run()
  })
}

/** The list of keys, and the button that opens it. */
export function KeyHelp() {
  return (
    <>
      <button
        type="button"
        class="small quiet"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts"
        onClick={() => {
          isHelpOpen.value = true
        }}
      >
        ?
      </button>
      {isHelpOpen.value && (
        <Dialog
          title="Keyboard shortcuts"
          onClose={() => {
            isHelpOpen.value = false
          }}
        >
          <dl class="keys">
            {Object.entries(keys).map(([key, { does }]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
            <div>
              <dt>
                <kbd>Enter</kbd>
              </dt>
              <dd>open the row</dd>
            </div>
            {views.map(({ key, title, name }) => (
              <div key={name}>
                <dt>
                  <kbd>g</kbd> <kbd>{key}</kbd>
                </dt>
                <dd>{title}</dd>
              </div>
            ))}
          </dl>
          <div class="actions">
            <button
              type="button"
              onClick={() => {
                isHelpOpen.value = false
              }}
            >
              Close
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}
