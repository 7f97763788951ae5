/** Variables that HTTP clients of other languages read: each names a file that replaces the usual authorities. */
export const bundleVariables = ['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE']

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

/** Values of the variables: addresses of an emulator, secrets of an organization and of an app. */
export interface EnvironmentSource {
  url?: string | undefined
  app_url?: string | undefined
  api_key?: string | null | undefined
  client_id?: string | undefined
  client_secret?: string | undefined
  signing_secret?: string | undefined
}

/** Returns the variables of an emulator; what it lacks, such as an app, has none. @param others beside its own. */
export function variablesOf(emulator: EnvironmentSource, others: Record<string, string | undefined> = {}) {
  const values: Record<string, string | null | undefined> = {
    MOCKADEMY_URL: emulator.url,
    PLATFORM_BASE_URL: emulator.url,
    PLATFORM_APP_URL: emulator.app_url,
    PLATFORM_API_KEY: emulator.api_key,
    PLATFORM_CLIENT_ID: emulator.client_id,
    PLATFORM_CLIENT_SECRET: emulator.client_secret,
    PLATFORM_SIGNING_SECRET: emulator.signing_secret,
    ...others,
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
