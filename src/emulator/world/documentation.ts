import { packageManifest, version } from './version.js'

/** The address of the pages of `docs/` of this version. */
const pages = `${packageManifest.repository.url.replace(/^git\+|\.git$/g, '')}/blob/v${version}/docs`

const pageNames = { spec: 'platform', wire: 'decisions' }

/**
 * Returns the address of the (first) section that a source cites: `spec: §5.2.3`, `wire: §2`, `control-api: Clock`.
 * Undefined for a source that is no page, such as an RFC.
 */
export function pageOf(source: string): string | undefined {
  const [, document, section] = /^(spec|wire): §([\d.]*\d)/.exec(source) ?? []
  if (section) return `${pages}/${pageNames[document as keyof typeof pageNames]}.md#s${section}`
  const [, chapter] = /^control-api: (.*)$/.exec(source) ?? []
  if (chapter === undefined) return undefined
  if (chapter === 'preamble') return `${pages}/control-api.md`
  return `${pages}/control-api.md#${chapter
    .toLowerCase()
    .replace(/[^a-z -]/g, '')
    .replaceAll(' ', '-')}`
}

/** Returns the fields of an OpenAPI operation that say where it comes from. wire: §3 */
export function sourceFields(source: string) {
  const url = pageOf(source)
  return { 'x-source': source, ...(url !== undefined && { externalDocs: { description: source, url } }) }
}

/** Returns the address of a page of `docs/`, with its section. */
export const addressOfPage = (page: string): string => `${pages}/${page}`

/** Returns the address of the lesson of a check of the audit or a rule of findings. */
export const pageOfCheck = (id: string): string => addressOfPage(`checks.md#${id}`)
