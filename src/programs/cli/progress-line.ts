import { visible } from '../reports/visible.js'

/** How a long command says where it is, on standard error: nothing of it is in what it prints. */

/** Shows a line that changes; nothing where standard error is no terminal. */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${visible(text)}`)
}

/** Writes a line that stays, in place of the one that changes. */
export function noteProgress(text: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${visible(text)}\n` : `${visible(text)}\n`)
}

/** Takes the line that changes away. */
export const endProgress = (): void => showProgress('')
