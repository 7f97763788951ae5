import { visible } from '../../reports/visible.js'
import { printNote } from '../command/command.js'

// Progress of long commands, on standard error, so that it is no part of their output.

/** Shows a line that changes; does nothing if standard error is no terminal. */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${visible(text)}`)
}

/** Replaces the line that changes by one that stays. */
export function noteProgress(text: string): void {
  endProgress()
  printNote(text)
}

export const endProgress = (): void => showProgress('')
