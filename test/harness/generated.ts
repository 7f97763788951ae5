import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './command-line.js'

/** Returns the JSON schemas that are made of the program's own, by the file that each belongs to. */
export const generatedSchemas = (): Record<string, string> =>
  JSON.parse(
    execFileSync(process.execPath, [join(ROOT, '.build', 'json-schemas.js')], {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    }),
  )
