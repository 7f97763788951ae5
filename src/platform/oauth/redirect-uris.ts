import type { World } from '../../emulator/world/world.js'
import { newestVersion } from '../../foundation/schema/newest-version.js'
import { unlessThrows } from '../../foundation/schema/unless-throws.js'
import type { AppRecord } from '../apps/app-record.js'
import { manifestOf } from '../apps/manifest.js'
import type { Manifest } from '../apps/manifest-schema.js'

/**
 * The manifests that count until an organization is chosen: of the newest pushed version and of every installed one.
 * wire: §6 "which manifest counts"
 */
export function countingManifests(world: Pick<World, 'store'>, app: AppRecord): Manifest[] {
  const newest = newestVersion(app.versions)
  return app.versions
    .filter(
      (each) =>
        each === newest || world.store.installations.in('current_version', `${app.id}/${each.version}`).size > 0,
    )
    .map(({ version }) => manifestOf(app, version) as Manifest)
}

export const redirectUrisOf = (manifests: Manifest[]): string[] => [
  ...new Set(manifests.flatMap(({ oauth }) => oauth?.authorize?.redirect_uris ?? [])),
]

/** The registered redirect URI that is closest to one that is not registered, and where they part. */
export interface NearMiss {
  registered: string
  /** Counted in characters from 1, in both. */
  position: number
  /** The difference, as a sentence without its full stop. */
  explanation: string
}

/** Undefined when nothing is registered. `sent` must not be one of `registered`. */
export function nearMiss(sent: string, registered: string[]): NearMiss | undefined {
  const [nearest] = registered.toSorted((a, b) => similarity(sent, b) - similarity(sent, a))
  if (nearest === undefined) return undefined
  const start = commonStart(sent, nearest)
  return { registered: nearest, position: start + 1, explanation: explain(sent, nearest, start) }
}

/** Returns the share of the longer text that both have in common at the start and at the end. */
function similarity(a: string, b: string): number {
  const start = commonStart(a, b)
  const end = commonStart(reversed(a.slice(start)), reversed(b.slice(start)))
  return (start + end) / Math.max(a.length, b.length)
}

const reversed = (text: string) => text.split('').reverse().join('')

function commonStart(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

/** The kinds of slips, the most telling first. */
const mistakes: [(sent: string, registered: string) => boolean, string][] = [
  [(sent, registered) => sent.replace(/\s/g, '') === registered, 'The request has white space that is not registered'],
  [(sent, registered) => sent === `${registered}/`, 'The request has a slash at the end that is not registered'],
  [(sent, registered) => registered === `${sent}/`, 'The slash at the end is missing in the request'],
  [(sent, registered) => sent.toLowerCase() === registered.toLowerCase(), 'They differ in upper and lower case'],
  [
    (sent, registered) => sent.replace(/^https?:/, '') === registered.replace(/^https?:/, ''),
    'They differ in http and https',
  ],
  [(sent, registered) => safeDecode(sent) === safeDecode(registered), 'They differ in percent-encoding'],
  [
    (sent, registered) => sent.split('#')[0] === registered,
    'They differ in what follows the path: a redirect URI has no fragment',
  ],
  [
    (sent, registered) => sent === registered.split('?')[0],
    'They differ in what follows the path: the request lacks the query that is registered',
  ],
  [
    (sent, registered) => sent.split(/[?#]/)[0] === registered.split(/[?#]/)[0],
    'They differ in what follows the path: the query must be registered too',
  ],
  [(sent, registered) => differsOnlyIn('port', sent, registered), 'They differ in the port'],
  [(sent, registered) => differsOnlyIn('hostname', sent, registered), 'They differ in the host name'],
]

function explain(sent: string, registered: string, start: number): string {
  const slip = mistakes.find(([applies]) => applies(sent, registered))?.[1]
  const rest = (text: string) => (start < text.length ? `goes on with "${text.slice(start, start + 16)}"` : 'ends')
  const where = `at character ${start + 1} the request ${rest(sent)} where the registered one ${rest(registered)}`
  return slip ? `${slip}: ${where}` : `They differ: ${where}`
}

const safeDecode = (text: string): string => unlessThrows(() => decodeURIComponent(text)) ?? text

function differsOnlyIn(part: 'port' | 'hostname', a: string, b: string): boolean {
  if (!URL.canParse(a) || !URL.canParse(b)) return false
  const [left, right] = [new URL(a), new URL(b)]
  if (left[part] === right[part]) return false
  left[part] = right[part]
  return left.href === right.href
}
