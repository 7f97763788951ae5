import { readFile, writeFile } from 'node:fs/promises'
import { applyEdits, modify, parse } from 'jsonc-parser'
import { isObject } from '../../foundation/schema/is-object.js'
import { PlatformFailure } from './platform-failure.js'

const FORMAT = { formattingOptions: { insertSpaces: true, tabSize: 2 } }

/**
 * Writes settings into a fixture document; whatever else it says stays, comments too. A file that is not there is made.
 * @throws PlatformFailure 2 when the file is there and holds no JSON object.
 */
export async function writeSettings(file: string, settings: Record<string, unknown>): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}\n'
    throw new PlatformFailure(2, `${file} cannot be read (${error.code})`)
  })
  if (!isObject(parse(text, [], { allowTrailingComma: true })))
    throw new PlatformFailure(2, `${file} does not contain a JSON object`)
  const written = Object.entries(settings).reduce(
    (document, [name, value]) => applyEdits(document, modify(document, ['settings', name], value, FORMAT)),
    text,
  )
  await writeFile(file, written)
}
