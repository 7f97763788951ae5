import { isIP } from 'node:net'
import type * as z from 'zod'
import { normalizeHost } from '../../foundation/http-client/targets.js'
import { parseDuration } from '../../foundation/schema/duration.js'
import type { LazySchema, OutputOf, SchemaWords } from '../../foundation/schema/lazy-schema.js'
import type { CamelCase } from '../../foundation/schema/options.js'
import { issueOfCertificates } from '../../foundation/tls/certificate-file.js'
import { CLOCK_RANGE, isClockMoment } from './clock-record.js'
import { typeNameMap } from './element-type-names.js'
import { isLibertyWord, libertyWords, splitList } from './liberty-names.js'

/** The kinds of settings by their form as text, in a flag or a variable. wire: §8 */
export const kindsOfText = {
  text: (text: string): unknown => text,
  number: (text: string): unknown => (/^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text),
  boolean: (text: string): unknown =>
    ({ true: true, '1': true, yes: true, '': true, false: false, '0': false, no: false })[text.toLowerCase()] ?? text,
  duration: (text: string): unknown => (/^\d+$/.test(text) ? Number(text) : text),
  list: (text: string): unknown => splitList(text),
  durations: (text: string): unknown => splitList(text).map(kindsOfText.duration),
  map(text: string): unknown {
    const pairs = splitList(text).map((pair) => /^([^=]*)=(.*)$/s.exec(pair)?.slice(1) ?? [])
    const entries = pairs.map(([name, other]) => [name?.trim(), other?.trim()] as const)
    const names = new Set(entries.map(([name]) => name))
    return names.has(undefined) || names.size < entries.length ? text : Object.fromEntries(entries)
  },
}

interface Values<S extends z.ZodType> {
  kind: keyof typeof kindsOfText
  schema: LazySchema<S>
  /** True for a value that is certainly valid as it is, so that zod need not be loaded. */
  isValidWithoutSchema?: (value: unknown) => boolean
}

interface SettingTraits<D> {
  /** Left out: off, or derived. */
  default?: D
  /** True for what belongs to the process and not to the world: where it listens, where it keeps its store. */
  process?: boolean
}

const setting = <S extends z.ZodType, D extends z.output<S> | undefined = undefined>(
  { isValidWithoutSchema = () => false, ...form }: Values<S>,
  describe: string,
  { default: initial, process = false }: SettingTraits<D> = {},
) => ({ ...form, isValidWithoutSchema, describe, default: initial as D, process })

const values = <S extends z.ZodType>(kind: Values<S>['kind'], schema: LazySchema<S>): Values<S> => ({ kind, schema })

const integer = (min: number, max = Number.MAX_SAFE_INTEGER) => ({
  ...values('number', ({ z }) => z.int().min(min).max(max)),
  isValidWithoutSchema: (value: unknown) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
})
const text = {
  ...values('text', ({ z }) => z.string().min(1)),
  isValidWithoutSchema: (value: unknown) => typeof value === 'string' && value !== '',
}
const BEARER = /^[\x21-\x7e]+$/
/** Sent in a header, so ASCII without spaces. */
const bearerToken = {
  ...values('text', ({ z }) => z.string().min(1, { abort: true }).regex(BEARER, 'must be ASCII without spaces')),
  isValidWithoutSchema: (value: unknown) => typeof value === 'string' && BEARER.test(value),
}
const HOST = 'must be a host name or an IP address, without scheme, port and path'
const isHost = (host: string) => /^[\p{L}\p{N}._-]+$/u.test(host) || isIP(normalizeHost(host)) !== 0
const host = {
  ...values('text', ({ z }) => z.string().min(1, { abort: true }).refine(isHost, HOST)),
  isValidWithoutSchema: (value: unknown) => typeof value === 'string' && isHost(value),
}
const flag = {
  ...values('boolean', ({ z }) => z.boolean()),
  isValidWithoutSchema: (value: unknown) => typeof value === 'boolean',
}
const duration = values('duration', (words) => words.duration)
const realDuration = values('duration', (words) => words.realDuration)
const origin = values('text', ({ z }) =>
  z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL', abort: true })
    .refine(
      (url) => new URL(url).pathname === '/' && !/[?#@]/.test(url),
      'must be an origin: no user, path, query or fragment',
    )
    .transform((url) => new URL(url).origin),
)
/** Checked when it is set, since an invalid file would fail every webhook. wire: §8 */
const certificateFile = ({ z }: SchemaWords) =>
  z
    .string()
    .min(1)
    .max(4096, { abort: true, error: 'must have at most 4096 characters' })
    .superRefine((file, context) => {
      const message = issueOfCertificates(file)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
    })

/** Kinds and ids of liberties, as a list or as one text. liberties: "Setting" */
export const libertyWordList = ({ z }: SchemaWords) =>
  z
    .union([z.string(), z.array(z.string())], 'must be a string or an array of strings')
    .transform(libertyWords)
    .superRefine((words, context) => {
      for (const word of words.filter((each) => !isLibertyWord(each))) {
        const message = `${JSON.stringify(word)} must be shape, weather, future or the id of a liberty, with - before it to leave it out`
        context.addIssue({ code: 'custom', message })
      }
    })

/** Every setting of wire: §8. */
export const settingTable = {
  port: setting(integer(0, 65_535), 'Port to listen on; 0 for any free one', { default: 4600, process: true }),
  host: setting(host, 'Address to listen on', { default: '127.0.0.1', process: true }),
  https: setting(flag, 'Serve HTTPS with a certificate of the local authority', { default: false, process: true }),
  app_url: setting(
    origin,
    "Origin of the web application and the OAuth endpoints, and the issuer; the emulator's own address when left out",
  ),
  browser_url: setting(origin, 'Origin at which a browser reaches the emulator; app_url when left out'),
  trust_hosts: setting(
    values('list', ({ z }) => z.array(z.string().min(1, { abort: true }).refine(isHost, HOST))),
    'Hosts that webhooks may go to and that the control API may be called at',
    { default: [] },
  ),
  store: setting(text, 'Store file, or "memory" to keep nothing', { default: 'memory', process: true }),
  seed: setting(
    {
      ...text,
      schema: ({ z }) => z.union([z.string().min(1), z.number()], 'must be a string or a number').transform(String),
    },
    'Makes every id, token and random choice reproducible; the clock starts stopped',
    { process: true },
  ),
  now: setting(
    values('text', ({ z }) => z.iso.datetime({ offset: true, abort: true }).refine(isClockMoment, CLOCK_RANGE)),
    'Time at which the clock starts, stopped',
    { process: true },
  ),
  page_size: setting(integer(1), 'Items per page of a list', { default: 50 }),
  rate_limit: setting(
    integer(1),
    "Maximum requests per minute of the emulator's clock for each credential; no limit when left out",
  ),
  access_token_ttl: setting(duration, 'Lifetime of access tokens', { default: parseDuration('1h') }),
  id_token_ttl: setting(duration, 'Lifetime of id_tokens', { default: parseDuration('1h') }),
  refresh_token_ttl: setting(duration, 'Lifetime of refresh tokens', { default: parseDuration('30d') }),
  code_ttl: setting(duration, 'Lifetime of authorization codes', { default: parseDuration('10m') }),
  ack_window: setting(realDuration, 'Time an app has to acknowledge app.installed', { default: parseDuration('3s') }),
  attempt_timeout: setting(realDuration, 'Time an app has to acknowledge any other webhook', {
    default: parseDuration('10s'),
  }),
  retry_schedule: setting(
    values('durations', (words) => words.z.array(words.duration)),
    'Delays before the second, third … attempt of a webhook',
    { default: [parseDuration('10s'), parseDuration('100s')] },
  ),
  header_prefix: setting(
    values('text', ({ z }) => z.string().regex(/^[A-Za-z0-9-]+$/, 'must be letters, digits and hyphens')),
    'Prefix of the webhook headers',
    { default: 'Platform' },
  ),
  allow_public_webhooks: setting(flag, 'Let webhooks go to public addresses', { default: false }),
  webhook_ca: setting(values('text', certificateFile), 'PEM file of authorities to trust for https webhooks', {
    process: true,
  }),
  element_type_names: setting(values('map', typeNameMap), 'Other names of element types on the wire', { default: {} }),
  admin_token: setting(bearerToken, 'Bearer token that the control API requires', { process: true }),
  journal_size: setting(integer(0), 'Maximum number of entries in the journal', { default: 1000 }),
  journal_admin: setting(flag, 'Record control calls in the journal too', { default: false }),
  retention: setting(integer(0), 'Maximum number of ended tokens, codes, sessions and deliveries kept, each', {
    default: 10_000,
  }),
  liberties: setting(
    {
      kind: 'text',
      schema: ({ z }) => z.union([z.string(), z.number()], 'must be a string or a number').transform(String),
      isValidWithoutSchema: (value) => typeof value === 'string',
    },
    'Seed for varying details that the platform does not document; off when empty or left out',
  ),
  liberty_kinds: setting(values('list', libertyWordList), 'Kinds and ids of the liberties; a leading - excludes one', {
    default: ['shape'],
  }),
  worlds: setting(integer(1, 256), 'Number of worlds, one on each port from `port` on', { default: 1, process: true }),
}

type Table = typeof settingTable
export type SettingName = keyof Table
export const settingNames = Object.keys(settingTable) as SettingName[]

/** Settings as someone gave them, checked: durations in milliseconds, origins without a trailing slash. */
export type GivenSettings = { [S in SettingName]?: OutputOf<Table[S]['schema']> }
/** Settings as options of `startEmulator`, still to be checked: `pageSize` for `page_size`. */
export type SettingOptions = {
  [S in Exclude<SettingName, 'worlds'> as CamelCase<S>]?: z.input<ReturnType<Table[S]['schema']>> | undefined
}

type DefaultedName = { [S in SettingName]: Table[S]['default'] extends undefined ? never : S }[SettingName]

export type Settings = GivenSettings & { [S in DefaultedName]: OutputOf<Table[S]['schema']> }

export const settingDefaults = Object.fromEntries(
  settingNames.map((name) => [name, settingTable[name].default] as const).filter(([, value]) => value !== undefined),
) as Pick<Settings, DefaultedName>
