import { existsSync, readFileSync } from 'node:fs'

/**
 * Returns true where a person can press keys: input and output are a terminal, and this process is no background job of
 * its shell, which the terminal stops as soon as it sets a mode or reads.
 */
export const isInteractive = (): boolean =>
  process.stdin.isTTY === true && process.stdout.isTTY === true && isInForeground()

/** A file of Linux; other systems have no such file, and Node does not tell the groups of processes. */
const STAT = '/proc/self/stat'

function isInForeground(): boolean {
  if (!existsSync(STAT)) return true
  const stat = readFileSync(STAT, 'utf8')
  // The name of the program, in brackets, may have any characters.
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return group === foreground
}
