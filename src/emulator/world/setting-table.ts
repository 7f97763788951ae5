/** The kinds of settings by their form as text, in a flag or a variable. wire: §8 */
export const kindsOfText = {
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
  durations: (text: string): unknown => (kindsOfText.list(text) as string[]).map(kindsOfText.duration),
  map: (text: string): unknown =>
    Object.fromEntries(
      text
        .split(',')
        .filter(Boolean)
        .map((pair) => [pair.split('=')[0]?.trim(), pair.split('=').slice(1).join('=').trim()]),
    ),
}

interface SettingDeclaration {
  kind: keyof typeof kindsOfText
  describe: string
  /** True for what belongs to the process and not to the world: where it listens, where it keeps its store. */
  process: boolean
  /** True for a value that is certainly valid as it is, so that the schemas need not be loaded. */
  isValidWithoutSchema: (value: unknown) => boolean
}

const setting = (
  kind: keyof typeof kindsOfText,
  describe: string,
  { isValidWithoutSchema = () => false, process = false }: Partial<SettingDeclaration> = {},
): SettingDeclaration => ({ kind, describe, process, isValidWithoutSchema })

const between =
  (least: number, most = Number.MAX_SAFE_INTEGER) =>
  (value: unknown) =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most
const isText = (value: unknown) => typeof value === 'string' && value !== ''
const isBoolean = (value: unknown) => typeof value === 'boolean'

/** Every setting of wire: §8; `setting-schemas.ts` has what each may be. */
export const settingTable = {
  port: setting('number', 'Port to listen on; 0 for any free one', {
    isValidWithoutSchema: between(0, 65_535),
    process: true,
  }),
  host: setting('text', 'Address to listen on', { isValidWithoutSchema: isText, process: true }),
  https: setting('boolean', 'Serve HTTPS with a certificate of the local authority', {
    isValidWithoutSchema: isBoolean,
    process: true,
  }),
  app_url: setting(
    'text',
    'Origin of the web application and the OAuth endpoints, and the issuer; its own address when left out',
  ),
  browser_url: setting('text', 'Origin at which a browser reaches the emulator; app_url when left out'),
  trust_hosts: setting('list', 'Hosts that webhooks may go to and that the control API may be called at'),
  store: setting('text', 'Store file, or "memory" to keep nothing', { isValidWithoutSchema: isText, process: true }),
  seed: setting('text', 'Makes every id, token and random choice reproducible; the clock starts stopped', {
    isValidWithoutSchema: isText,
    process: true,
  }),
  now: setting('text', 'Time at which the clock starts, stopped', { process: true }),
  page_size: setting('number', 'Items on a page of a list', { isValidWithoutSchema: between(1) }),
  rate_limit: setting('number', 'Requests a minute that each credential may make', {
    isValidWithoutSchema: between(1),
  }),
  access_token_ttl: setting('duration', 'Lifetime of access tokens'),
  id_token_ttl: setting('duration', 'Lifetime of id_tokens'),
  refresh_token_ttl: setting('duration', 'Lifetime of refresh tokens'),
  code_ttl: setting('duration', 'Lifetime of authorization codes'),
  ack_window: setting('duration', 'Time an app has to acknowledge app.installed'),
  attempt_timeout: setting('duration', 'Time an app has to acknowledge any other webhook'),
  retry_schedule: setting('durations', 'Waits before the second, third … attempt of a webhook'),
  header_prefix: setting('text', 'Prefix of the webhook headers'),
  allow_public_webhooks: setting('boolean', 'Let webhooks go to public addresses', { isValidWithoutSchema: isBoolean }),
  webhook_ca: setting('text', 'PEM file of authorities to trust for https webhooks', { process: true }),
  element_type_names: setting('map', 'Other names of element types on the wire'),
  admin_token: setting('text', 'Bearer token that the control API requires', {
    isValidWithoutSchema: isText,
    process: true,
  }),
  journal_size: setting('number', 'Requests that the journal keeps', { isValidWithoutSchema: between(0) }),
  journal_admin: setting('boolean', 'Keep calls to the control API in the journal too', {
    isValidWithoutSchema: isBoolean,
  }),
  retention: setting('number', 'Ended tokens, codes, sessions and deliveries kept, each', {
    isValidWithoutSchema: between(0),
  }),
  worlds: setting('number', 'Number of worlds, one on each port from `port` on', {
    isValidWithoutSchema: between(1, 256),
    process: true,
  }),
} satisfies Record<string, SettingDeclaration>

export type SettingName = keyof typeof settingTable
export const settingNames = Object.keys(settingTable) as SettingName[]
