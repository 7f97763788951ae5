import * as z from 'zod'
import type { World } from '../../emulator/world/world.js'
import { invalid } from '../../foundation/http/refusal.js'
import { belowPrefix, readBySchema } from '../../foundation/schema/issue.js'
import { jsonObject } from './element-body.js'
import type { ElementRecord } from './element-record.js'
import { text } from './fields.js'
import { readType, wireTypeSchema } from './type-names.js'

/** spec: §4.7 */
export const searchFields = z.object({
  q: text.optional().describe('A part of the name, in any case'),
  type: wireTypeSchema.optional(),
})

export interface Search {
  /** The query; null where nothing was given. */
  filter: { q: string | null; type: string | null }
  matches: (element: ElementRecord) => boolean
}

/**
 * Reads the query of a search; `q` and `type` combine. wire: §3 "Search"
 * @param body a JSON value, undefined when none was sent.
 * @param query of a GET, where it may replace a body.
 * @throws Refusal 400
 */
export function readSearch(world: Pick<World, 'settings'>, body: unknown, query: URLSearchParams | undefined): Search {
  const asked = { ...jsonObject(body) }
  for (const field of ['q', 'type']) {
    const value = query?.get(field)
    if (value != null) asked[field] = value
  }

  const { data, issues: found = [] } = readBySchema(searchFields, asked)
  const issues = belowPrefix(found)
  const type = typeof asked.type === 'string' ? readType(world, asked.type, issues) : undefined
  if (issues.length > 0) throw invalid(issues)

  const part = withoutCase(data?.q ?? '')
  return {
    filter: { q: part || null, type: type ?? null },
    matches: (element) =>
      (type === undefined || element.type === type) && (part === '' || withoutCase(element.name).includes(part)),
  }
}

/** Lower case alone depends on the place in a word: Σ becomes ς at its end and σ before other letters. */
const withoutCase = (text: string): string => text.toLowerCase().toUpperCase()
