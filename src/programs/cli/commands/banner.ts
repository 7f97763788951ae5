import { resolve } from 'node:path'
import type { Running } from '../../../control/start/launch.js'
import { timesLeft } from '../../../emulator/faults/faults.js'
import { shownSecret } from '../../../emulator/world/shown-secret.js'
import { roughDuration } from '../../../foundation/schema/duration.js'
import { authorityFile } from '../../../foundation/tls/authority.js'
import { newestManifest, worldManifestWarnings } from '../../../platform/apps/manifest.js'
import { pluralize } from '../../reports/pluralize.js'
import { visible } from '../../reports/visible.js'
import { table } from '../terminal/table.js'

/** Returns the banner of `start`: addresses, store, organizations, apps, and a command to try. control-api: "CLI" */
export function banner(emulators: Running[]): string {
  const first = emulators[0] as Running
  const { world } = first
  const shown = (secret: string | null) => shownSecret(world, secret)
  const organizations = [...world.store.organizations.all].map(({ id, name, api_key }) => [id, name, shown(api_key)])
  const apps = [...world.store.apps.all].map((app) => [
    app.id,
    newestManifest(app).name,
    app.client_id,
    shown(app.client_secret),
    shown(app.signing_secret),
  ])
  const urls = emulators.map(({ url }) => url)
  return [
    '',
    ...addresses(emulators),
    `Store           ${emulators.map((emulator) => storeLine(emulator)).join('\n                ')}`,
    ...emulators.flatMap(({ notes }) => notes.map((note) => visible(`Note            ${note}`))),
    ...clockLine(first),
    ...leftLine(first),
    ...worldManifestWarnings(world).map((warning) => visible(`Warning         ${warning}`)),
    '',
    ...table([['Organization  ', 'Name', 'API key'], ...organizations]),
    '',
    ...table([['App           ', 'Name', 'Client id', 'Client secret', 'Signing secret'], ...apps]),
    '',
    `Try it          ${curl(first)}`,
    `Mockademy is ready at ${urls.join(' ')} (Ctrl+C stops it)`,
    '',
  ].join('\n')
}

function addresses(emulators: Running[]): string[] {
  if (emulators.length > 1) return emulators.map(({ url }, index) => `${`World ${index}`.padEnd(16)}${url}/v0`)
  return emulators.flatMap(({ url, world }) => [
    `Public API      ${url}/v0`,
    `OAuth, web app  ${world.addresses.app_url}`,
    `Control API     ${url}/_admin`,
    `Console         ${url}/_console`,
  ])
}

const storeLine = ({ world: { origin } }: Running) =>
  origin.store === 'memory' ? 'in memory, nothing is kept' : visible(`${resolve(origin.store)} (${origin.world})`)

/** Milliseconds from the machine's clock, by which clients go, that are not reported. */
const CLOCK_TOLERANCE = 60_000

/** Describes a clock that stands still or differs from the machine's. wire: §1 "seed" */
function clockLine({ world: { clock, settings } }: Running): string[] {
  const { now, frozen } = clock.state(null)
  const offset = clock.ahead(null)
  if (!frozen && Math.abs(offset) < CLOCK_TOLERANCE) return []
  const sinceExpiry = -offset - settings.id_token_ttl
  let why: string | undefined
  if (sinceExpiry > 0) why = `exp is ${roughDuration(sinceExpiry)} in the past`
  else if (offset > 0) why = `iat is ${roughDuration(offset)} ahead`
  const effect = why ? `: clients refuse id_tokens, as by the machine's clock their ${why}` : ''
  return [`Clock           ${frozen ? 'stopped at' : 'at'} ${now}${effect}`]
}

/** Names what a store brings back, and what explains responses that nobody expects. */
function leftLine({ world: { store } }: Running): string[] {
  const faults = [...store.faults.all].filter((fault) => timesLeft(fault) !== 0).length
  const outcomes = [...store.silent_auth.all].length
  const ambient = store.sessions.by('ambient', 'ambient')
  const left = [
    faults > 0 && `${pluralize(faults, 'injected fault')} (mockademy faults list)`,
    outcomes > 0 && `${pluralize(outcomes, 'forced silent sign-in')} (mockademy silent-auth)`,
    ambient && `requests without a cookie are ${ambient.user}'s (mockademy sessions list)`,
  ].filter(Boolean)
  return left.length > 0 ? [visible(`In force        ${left.join(', ')}`)] : []
}

/** Returns a command that works when it is pasted. */
function curl({ url, world }: Running): string {
  const keys = Array.from(world.store.organizations.all, ({ api_key }) => api_key ?? '')
  const key = keys.find((each) => world.origin.fixture_secrets.includes(each))
  const trusting = url.startsWith('https:') ? `--cacert "${authorityFile()}" ` : ''
  return key ? `curl ${trusting}-H "Authorization: Bearer ${key}" ${url}/v0/courses` : `curl ${trusting}${url}/healthz`
}
