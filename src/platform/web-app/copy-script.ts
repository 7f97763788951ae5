export const COPY_SCRIPT_PATH = '/assets/copy.js'

/** Shows the Copy buttons, where the browser lets a page write to the clipboard. */
export const copyScript = `for (const button of document.querySelectorAll('[data-copies]')) {
  if (!navigator.clipboard) continue
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent)
    button.textContent = 'Copied'
  })
}
`
