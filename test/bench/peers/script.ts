import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The script that an installed package starts with, by its `bin`. */
export async function scriptOf(home: string, name: string): Promise<string> {
  const folder = join(home, 'node_modules', name)
  const { bin } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : bin[name])
}
