import { readFile } from 'node:fs/promises'

const DEFAULT_WORLD = new URL('../fixtures/default.json', import.meta.url)

/**
 * Tells the secrets that fixture files give from those that were made at run time, which no log may show.
 * @param fixtures the files of this start; the default world when left out. They have been loaded: they are sound.
 */
export async function knownSecrets(fixtures: string[] | undefined): Promise<(secret: string) => boolean> {
  const texts = await Promise.all((fixtures ?? [DEFAULT_WORLD]).map((file) => readFile(file, 'utf8')))
  const known = new Set<string>()
  const collect = (value: unknown): void => {
    if (typeof value === 'string') known.add(value)
    else if (value && typeof value === 'object') for (const part of Object.values(value)) collect(part)
  }
  for (const text of texts) collect(JSON.parse(text))
  return (secret) => known.has(secret)
}
