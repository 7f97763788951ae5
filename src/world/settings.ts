import * as z from 'zod'
import { duration, parseDuration, realDuration } from '../schema/duration.js'
import type { Issue } from '../schema/issue.js'
import { describeIssue, issuesOf } from '../schema/schema-issues.js'
import { typeNameMap } from './element-type-names.js'

/** How a setting is written as text, in a flag or a variable. wire: §8 */
const kinds = {
  text: (text: string): unknown => text,
  number: (text: string): unknown => (/^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text),
  boolean: (text: string): unknown =>
    ({ true: true, '1': true, yes: true, '': true, false: false, '0': false, no: false })[text.toLowerCase()] ?? text,
  duration: (text: string): unknown => (/^\d+$/.test(text) ? Number(text) : text),
  list: (text: string): unknown =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  durations: (text: string): unknown => (kinds.list(text) as string[]).map(kinds.duration),
  map: (text: string): unknown =>
    Object.fromEntries(
      text
        .split(',')
        .filter(Boolean)
        .map((pair) => [pair.split('=')[0]?.trim(), pair.split('=').slice(1).join('=').trim()]),
    ),
}

interface SettingDeclaration<S extends z.ZodType> {
  kind: keyof typeof kinds
  schema: S
  describe: string
  /** True for what belongs to the process and not to the world: where it listens, where it keeps its store. */
  process?: boolean
}

const setting = <S extends z.ZodType>(
  kind: keyof typeof kinds,
  schema: S,
  describe: string,
  { process = false } = {},
): SettingDeclaration<S> => ({ kind, schema: schema.meta({ description: describe }) as S, describe, process })

const ofProcess = { process: true }
const origin = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .refine((url) => new URL(url).pathname === '/' && !/[?#]/.test(url), 'must be an origin: no path, query or fragment')
  .transform((url) => new URL(url).origin)
const count = z.int().min(1)
const headerPrefix = z.string().regex(/^[A-Za-z0-9-]+$/, 'must be letters, digits and hyphens')

/** Every setting of wire: §8. */
export const settingTable = {
  port: setting('number', z.int().min(0).max(65_535), 'Port to listen on; 0 for any free one', ofProcess),
  host: setting('text', z.string().min(1), 'Address to listen on', ofProcess),
  https: setting('boolean', z.boolean(), 'Serve HTTPS with a certificate of the local authority', ofProcess),
  app_url: setting(
    'text',
    origin,
    'Origin of the web application and the OAuth endpoints, and the issuer; its own address when left out',
  ),
  browser_url: setting('text', origin, 'Origin at which a browser reaches the emulator; app_url when left out'),
  trust_hosts: setting(
    'list',
    z.array(z.string().min(1)),
    'Hosts that webhooks may go to and that the control API may be called at',
  ),
  store: setting('text', z.string().min(1), 'Store file, or "memory" to keep nothing', ofProcess),
  seed: setting(
    'text',
    z.coerce.string().min(1),
    'Makes every id, token and random choice reproducible; the clock starts stopped',
    ofProcess,
  ),
  now: setting('text', z.iso.datetime({ offset: true }), 'Time at which the clock starts, stopped', ofProcess),
  page_size: setting('number', count, 'Items on a page of a list'),
  rate_limit: setting('number', count, 'Requests a minute that each credential may make'),
  access_token_ttl: setting('duration', duration, 'Lifetime of access tokens'),
  id_token_ttl: setting('duration', duration, 'Lifetime of id_tokens'),
  refresh_token_ttl: setting('duration', duration, 'Lifetime of refresh tokens'),
  code_ttl: setting('duration', duration, 'Lifetime of authorization codes'),
  ack_window: setting('duration', realDuration, 'Time an app has to acknowledge app.installed'),
  attempt_timeout: setting('duration', realDuration, 'Time an app has to acknowledge any other webhook'),
  retry_schedule: setting('durations', z.array(duration), 'Waits before the second, third … attempt of a webhook'),
  header_prefix: setting('text', headerPrefix, 'Prefix of the webhook headers'),
  allow_public_webhooks: setting('boolean', z.boolean(), 'Let webhooks go to public addresses'),
  webhook_ca: setting('text', z.string().min(1), 'PEM file of authorities to trust for https webhooks', ofProcess),
  element_type_names: setting('map', typeNameMap, 'Other names of element types on the wire'),
  admin_token: setting('text', z.string().min(1), 'Bearer token that the control API requires', ofProcess),
  journal_size: setting('number', z.int().min(0), 'Requests that the journal keeps'),
  journal_admin: setting('boolean', z.boolean(), 'Keep calls to the control API in the journal too'),
  retention: setting('number', z.int().min(0), 'Ended tokens, codes, sessions and deliveries kept, each'),
  worlds: setting('number', count.max(256), 'Number of worlds, one on each port from `port` on', ofProcess),
} as const

type Table = typeof settingTable
export type SettingName = keyof Table
export const settingNames = Object.keys(settingTable) as SettingName[]

/** Settings as someone gave them, checked: durations in milliseconds, origins without a trailing slash. */
export type GivenSettings = { [S in SettingName]?: z.output<Table[S]['schema']> }
/** Settings as `startEmulator` takes them. */
export type SettingOptions = { [S in SettingName]?: z.input<Table[S]['schema']> | undefined }

export const settingsSchema = z.strictObject(
  Object.fromEntries(settingNames.map((name) => [name, settingTable[name].schema.optional()])) as unknown as {
    [S in SettingName]: z.ZodOptional<Table[S]['schema']>
  },
)

/** What holds when nothing is said. Absent: off, or derived. wire: §8 */
export const settingDefaults = {
  port: 4600,
  host: '127.0.0.1',
  https: false,
  trust_hosts: [] as string[],
  store: 'memory',
  page_size: 50,
  access_token_ttl: parseDuration('1h'),
  id_token_ttl: parseDuration('1h'),
  refresh_token_ttl: parseDuration('30d'),
  code_ttl: parseDuration('10m'),
  ack_window: parseDuration('3s'),
  attempt_timeout: parseDuration('10s'),
  retry_schedule: [parseDuration('10s'), parseDuration('100s')],
  header_prefix: 'Platform',
  allow_public_webhooks: false,
  element_type_names: {} as Record<string, string>,
  journal_size: 1000,
  journal_admin: false,
  retention: 10_000,
  worlds: 1,
} satisfies GivenSettings

export type Settings = Omit<GivenSettings, keyof typeof settingDefaults> & typeof settingDefaults

/** @param layers the strongest first: flags, options, environment, fixtures. wire: §8 */
export function resolveSettings(...layers: GivenSettings[]): Settings {
  const given = layers.toReversed().map((layer) => Object.entries(layer).filter(([, value]) => value !== undefined))
  return Object.assign({}, settingDefaults, ...given.map((entries) => Object.fromEntries(entries)))
}

/** Settings that do not exist or have values that they cannot have. */
export class InvalidSettingsError extends Error {
  constructor(readonly issues: Issue[]) {
    super(`Invalid settings: ${issues.map(({ path, message }) => `${path} ${message}`).join('; ')}`)
    this.name = 'InvalidSettingsError'
  }
}

/** Checks settings given as values. @throws InvalidSettingsError with an entry for each issue. */
export function checkSettings(given: object): GivenSettings {
  const result = settingsSchema.safeParse(given, { error: describeIssue })
  if (result.success) return result.data as GivenSettings
  throw new InvalidSettingsError(issuesOf(result.error))
}

/** A setting's value from its text in a flag or variable; what cannot be read comes back as text, for the check to refuse. */
export const settingFromText = (name: SettingName, text: string): unknown => kinds[settingTable[name].kind](text)

export const environmentName = (name: SettingName) => `MOCKADEMY_${name.toUpperCase()}`

/** The settings in the environment, as values still to be checked. */
export function settingsFromEnvironment(environment: Record<string, string | undefined>): Record<string, unknown> {
  return Object.fromEntries(
    settingNames.flatMap((name) => {
      const text = environment[environmentName(name)]
      // An empty variable is how shells and Compose files say that there is none.
      return text ? [[name, settingFromText(name, text)]] : []
    }),
  )
}

/** Only those that belong to the world and go where its document goes. fixtures: "A whole world" */
export const worldSettings = (given: GivenSettings): GivenSettings =>
  Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== undefined && !settingTable[name as SettingName].process),
  )
