import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './command-line.js'

/** Returns what a program of `scripts/generate` makes, by the file that it belongs to. */
export const generated = (tool: 'json-schemas' | 'reference'): Record<string, string> =>
  JSON.parse(
    execFileSync(process.execPath, [join(ROOT, '.build', `${tool}.js`)], {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    }),
  )
