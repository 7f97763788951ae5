/** Variables that HTTP clients of other languages read: each names a file that replaces the usual authorities. */
export const bundleVariables = ['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE']

/** The variables of an emulator, by the address or secret that each holds. */
const sourceOf = {
  MOCKADEMY_URL: 'url',
  PLATFORM_BASE_URL: 'url',
  PLATFORM_APP_URL: 'app_url',
  PLATFORM_API_KEY: 'api_key',
  PLATFORM_CLIENT_ID: 'client_id',
  PLATFORM_CLIENT_SECRET: 'client_secret',
  PLATFORM_SIGNING_SECRET: 'signing_secret',
} as const

/** Addresses of an emulator, secrets of an organization and of an app. */
export type EnvironmentSource = { [V in (typeof sourceOf)[keyof typeof sourceOf]]?: string | null | undefined }

/** The variables that `exec` may set, in the order in which `env` prints them; the last ones only with https. */
export const environmentNames = [...Object.keys(sourceOf), 'NODE_EXTRA_CA_CERTS', ...bundleVariables]

/** Returns the variables of an emulator, without those whose value it lacks. @param others to add. */
export function variablesOf(emulator: EnvironmentSource, others: Record<string, string> = {}): Record<string, string> {
  const own = Object.entries(sourceOf).flatMap(([name, value]) => {
    const given = emulator[value]
    return given == null ? [] : [[name, given]]
  })
  return { ...Object.fromEntries(own), ...others }
}

/** Returns variables as lines of `KEY=value`. */
export const variableLines = (variables: Record<string, string>): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')
