import { existsSync, readFileSync } from 'node:fs'

/** Returns true where a person can press keys. The terminal stops a background job of its shell that reads. */
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
