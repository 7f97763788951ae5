import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type Detail, invalid } from '../refusal.js'
import { type GivenSettings, settingsSchema } from '../settings.js'
import type { FixtureSource } from './compile-fixtures.js'
import { type FixtureDocument, fixtureDocument } from './document.js'
import { parseJsonText } from './json-text.js'

const DEFAULT_WORLD = new URL('../fixtures/default.json', import.meta.url)

/** Documents, or paths of files that hold one. */
export type Fixtures = (FixtureDocument | string)[] | FixtureDocument | string

/**
 * The documents to begin with; the default world's when none are given.
 * @throws Refusal `invalid` naming each file that cannot be read or is not JSON.
 */
export async function readSources(fixtures: Fixtures | undefined): Promise<FixtureSource[]> {
  if (fixtures === undefined) return [{ document: JSON.parse(await readFile(DEFAULT_WORLD, 'utf8')) }]
  const faults: Detail[] = []
  const sources: FixtureSource[] = []
  for (const source of [fixtures].flat()) {
    if (typeof source !== 'string') sources.push({ document: source })
    else {
      const { document, fault } = await readDocument(source)
      sources.push({ file: source, document })
      if (fault !== undefined) faults.push({ path: source, message: fault })
    }
  }
  if (faults.length > 0) throw invalid(faults, 'The fixtures cannot be read')
  return sources
}

async function readDocument(file: string): Promise<{ document?: unknown; fault?: string }> {
  try {
    const { value, line } = parseJsonText(await readFile(file, 'utf8'))
    return line === undefined ? { document: value } : { fault: `line ${line}: is not valid JSON` }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return { fault: code === 'ENOENT' ? 'there is no such file' : `cannot be read: ${message}` }
  }
}

/** What a store remembers of the fixtures that it was seeded from. */
export const hashOf = (sources: FixtureSource[]) =>
  createHash('sha256')
    .update(JSON.stringify(sources.map(({ document }) => document)))
    .digest('hex')

/** The settings that sound documents hold: needed before the documents are checked, which finds what is not sound. */
export const settingsOfSources = (sources: FixtureSource[]): GivenSettings =>
  Object.assign(
    {},
    ...sources.map(({ document }) => settingsSchema.safeParse((document as FixtureDocument | null)?.settings).data),
  )

/** The API keys, client secrets and signing secrets that sound documents give: they may be shown, as those made at run time may not. */
export const secretsOf = (sources: FixtureSource[]): string[] =>
  sources.flatMap(({ document }) => {
    const { organizations = [], apps = [] } = fixtureDocument.safeParse(document).data ?? {}
    const secrets = [
      ...organizations.map(({ api_key }) => api_key),
      ...apps.flatMap(({ client_secret, signing_secret }) => [client_secret, signing_secret]),
    ]
    return secrets.filter((secret) => secret != null)
  })
