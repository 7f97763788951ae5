import { report } from './api/report.js'
import { goTo, linkTo } from './components/address.js'
import { assign, Button, findElement } from './components/button.js'
import { Dialog, DialogActions, openDialog } from './components/dialog.js'
import { Facts } from './components/facts.js'
import { togglePause } from './views/entries.js'
import { views } from './views/views.js'

/** Milliseconds after `g` in which a letter goes to a view. */
const CHORD = 1_500
let chordStart = 0

/** Moves the focus to the next row or the previous one, from the row with the focus or the open one. */
function moveFocus(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main tbody tr')]
  const focused = rows.findIndex((row) => row.contains(document.activeElement))
  const current = focused >= 0 ? focused : rows.findIndex((row) => row.className === 'open')
  const next = current >= 0 ? current + step : 0
  const row = rows[Math.max(0, Math.min(rows.length - 1, next))]
  row?.querySelector<HTMLElement>('[data-row], button, a')?.focus()
}

const keys: Record<string, { does: string; run: () => void }> = {
  j: { does: 'next row', run: () => moveFocus(1) },
  k: { does: 'previous row', run: () => moveFocus(-1) },
  '/': { does: 'search, where a view has a field for it', run: () => findElement('main [data-search]')?.focus() },
  ...(!report && { p: { does: 'pause or resume Activity', run: togglePause } }),
  '?': { does: 'show this list', run: () => openHelp() },
  Escape: {
    does: 'close the menu or the details',
    run() {
      const button = findElement('.menu[aria-expanded=true], [data-close]')
      button?.focus()
      button?.click()
    },
  },
}

/** Handles keys outside of fields and dialogs. console: Manners, keyboard */
export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || findElement('dialog[open]')) return
    const field = findElement(':is(input, textarea, select):focus')
    if (field && event.key !== 'Escape') return
    const view = Date.now() - chordStart < CHORD ? views.find(({ key }) => key === event.key) : undefined
    chordStart = event.key === 'g' ? Date.now() : 0
    const run = view ? () => goTo(linkTo(view.name)) : keys[event.key]?.run
    if (!run) return
    // Chromium would empty a search field without telling the filter.
    event.preventDefault()
    if (field) field.blur()
    else run()
  })
}

const shortcuts = {
  ...Object.fromEntries(Object.entries(keys).map(([key, { does }]) => [key, does])),
  Enter: 'open the row',
  ...Object.fromEntries(views.map(({ key, title }) => [`g ${key}`, title])),
}

const openHelp = assign(
  openDialog,
  <Dialog title="Keyboard shortcuts">
    <Facts of={shortcuts} class="keys" />
    <DialogActions />
  </Dialog>,
)

/** The button that opens the list of keys. */
export const KeyHelp = () => (
  <Button aria-label="Keyboard shortcuts" title="Keyboard shortcuts" onClick={openHelp}>
    ?
  </Button>
)
