import { authorityBundle, extraAuthorities } from '../../foundation/tls/authority.js'
import type { AppRecord } from '../../platform/apps/app-record.js'
import type { Running } from './launch.js'

/** Variables that HTTP clients of other languages read: each names a file that replaces the usual authorities. */
const bundleVariables = ['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE']

/** The variables that `exec` may set, in the order in which `env` prints them; the last ones only with https. */
export const environmentNames = [
  'MOCKADEMY_URL',
  'PLATFORM_BASE_URL',
  'PLATFORM_APP_URL',
  'PLATFORM_API_KEY',
  'PLATFORM_CLIENT_ID',
  'PLATFORM_CLIENT_SECRET',
  'PLATFORM_SIGNING_SECRET',
  'NODE_EXTRA_CA_CERTS',
  ...bundleVariables,
]

/**
 * Returns the variables of an emulator of this process: its addresses, and secrets of the first organization and of an
 * app, if any. control-api: "CLI"
 * @param app the first one when left out.
 */
export async function environmentOf(
  { url, world }: Pick<Running, 'url' | 'world'>,
  app: AppRecord | undefined = world.store.apps.all.at(0),
): Promise<Record<string, string>> {
  return environmentFor({
    url,
    app_url: world.addresses.app_url,
    api_key: world.store.organizations.all.at(0)?.api_key,
    ...(app && {
      client_id: app.client_id,
      client_secret: app.client_secret,
      signing_secret: app.signing_secret,
    }),
  })
}

/** What the variables are made of: addresses of an emulator, secrets of an organization and of an app. */
export interface EnvironmentSource {
  url?: string
  app_url?: string
  api_key?: string | null | undefined
  client_id?: string | undefined
  client_secret?: string | undefined
  signing_secret?: string | undefined
}

/** Returns the variables of an emulator; what it lacks, such as an app, has none. */
export async function environmentFor(emulator: EnvironmentSource): Promise<Record<string, string>> {
  const values: Record<string, string | null | undefined> = {
    MOCKADEMY_URL: emulator.url,
    PLATFORM_BASE_URL: emulator.url,
    PLATFORM_APP_URL: emulator.app_url,
    PLATFORM_API_KEY: emulator.api_key,
    PLATFORM_CLIENT_ID: emulator.client_id,
    PLATFORM_CLIENT_SECRET: emulator.client_secret,
    PLATFORM_SIGNING_SECRET: emulator.signing_secret,
    ...(emulator.url?.startsWith('https:') && (await authorityVariables())),
  }
  return Object.fromEntries(
    environmentNames.flatMap((name): [string, string][] => {
      const value = values[name]
      return value == null ? [] : [[name, value]]
    }),
  )
}

/** Returns variables as lines of `KEY=value`. */
export const variableLines = (variables: Record<string, string>): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')

async function authorityVariables(): Promise<Record<string, string>> {
  const bundles: Record<string, string> = {}
  for (const name of bundleVariables) bundles[name] = await authorityBundle(process.env[name])
  return {
    NODE_EXTRA_CA_CERTS: await extraAuthorities(process.env.NODE_EXTRA_CA_CERTS),
    ...bundles,
  }
}
