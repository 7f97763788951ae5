import { isObject } from '../../foundation/schema/is-object.js'
import { checks, type PlatformCheck } from './checks.js'
import { countedDifferences, type Difference } from './difference.js'
import { type Evidence, gatherEvidence, type PlatformExchange } from './evidence.js'
import type { Watch } from './pacing.js'
import { createPlatformClient, type PlatformClient } from './platform-client.js'
import { createTypeReader, typeNamesIn } from './platform-type-names.js'
import { type EmulatorReference, readReference } from './reference.js'
import { createSchemaReader } from './schema-differences.js'
import { type SignIn, signInChecks } from './sign-in-checks.js'

export interface CompareOptions {
  /** `{base_url}`, as `readAddress` gives it. */
  base: string
  apiKey: string
  /** An access token of an installation, to see what a missing scope is answered with. */
  token?: string | undefined
  /** `{app_url}`: discovery and JWKS are compared when it is given. */
  issuer?: string | undefined
  requestsPerSecond: number
  authorities?: string[] | undefined
  /** What the platform is held against; an emulator of this process when left out. */
  referenceFor?: (typeNames: Record<string, string>) => Promise<EmulatorReference>
  watch?: Watch
  timeout?: number
  signal?: AbortSignal
  onProgress?: (progress: { asking: string; requests: number } | { waiting: number; why: string }) => void
}

export interface Comparison {
  /** Every check of the table; `not seen` where the organization has nothing to judge it by. */
  checks: { name: string; section: string; result: 'same' | 'differs' | 'not seen' }[]
  differences: Difference[]
  /** What adapts an emulator to the platform. wire: §8 */
  settings: Record<string, string | number | Record<string, string>>
  requests: number
}

/**
 * Holds a platform against what the emulator's documents say of it. Nothing is changed there. real-platform: "compare"
 * @throws PlatformFailure 1 when the platform cannot be reached or does not accept the key.
 */
export async function compare(options: CompareOptions): Promise<Comparison> {
  const { base, apiKey, token, issuer, referenceFor = readReference, onProgress = () => {} } = options
  const limited: Evidence['limited'] = []
  const clientFor = (address: string) =>
    createPlatformClient({
      base: address,
      credential: apiKey,
      requestsPerSecond: options.requestsPerSecond,
      watch: options.watch,
      timeout: options.timeout,
      signal: options.signal,
      authorities: options.authorities,
      onWait(waiting, why, refused) {
        if (refused?.status === 429) limited.push(refused)
        onProgress({ waiting, why })
      },
    })
  const client = await clientFor(base)
  const signInClient = issuer === undefined ? undefined : await clientFor(issuer)
  const requests = () => client.sent() + (signInClient?.sent() ?? 0)
  try {
    const onAsk = (asking: string) => onProgress({ asking, requests: requests() })
    const evidence = await gatherEvidence(client, { token, limited, onAsk })
    const typeNames = typeNamesOf(evidence)
    const reference = await referenceFor(typeNames)
    const signIn = signInClient && {
      issuer: issuer as string,
      reference,
      ...(await askSignIn(signInClient, issuer as string)),
    }
    return { ...judge(evidence, typeNames, reference.api, signIn), requests: requests() }
  } finally {
    client.close()
    signInClient?.close()
  }
}

function judge(
  evidence: Evidence,
  typeNames: Record<string, string>,
  api: Record<string, unknown>,
  signIn: SignIn | undefined,
): Omit<Comparison, 'requests'> {
  const judged = { evidence, typeNames, schemas: createSchemaReader(api) }
  const all: PlatformCheck[] = [...checks, ...(signIn ? signInChecks(signIn) : [])]
  const results = all.map(({ name, section, run }) => {
    const seen = run(judged)
    const differences = countedDifferences(name, seen ?? [])
    const result: Comparison['checks'][number]['result'] = !seen
      ? 'not seen'
      : differences.length > 0
        ? 'differs'
        : 'same'
    return { check: { name, section, result }, differences }
  })
  const differences = results.flatMap((result) => result.differences)
  const settings = Object.fromEntries(
    differences.flatMap(({ setting }) => (setting ? [[setting.name, setting.value]] : [])),
  )
  return { checks: results.map(({ check }) => check), differences, settings }
}

/** What the platform says of its element types, and what can be told from its elements. */
function typeNamesOf({ described, refused, lists, resources }: Evidence): Record<string, string> {
  const search = refused.find(({ refusal }) => refusal.detail === 'type')
  const names = typeNamesIn(described.answer.body, search?.answer.body)
  const read = createTypeReader(names, () => {})
  for (const { component, items } of [...lists, ...resources]) {
    if (component !== 'Element') continue
    for (const { type, properties } of items)
      if (typeof type === 'string' && isObject(properties)) read(type, properties)
  }
  return names
}

/** No credential goes where people sign in, and no address is called only because the platform names it. */
async function askSignIn(
  client: PlatformClient,
  issuer: string,
): Promise<{ discovery: PlatformExchange; jwks: PlatformExchange }> {
  const ask = async (path: string) => ({
    where: `GET ${path}`,
    answer: await client.request(path, { credential: null }),
  })
  const discovery = await ask('/.well-known/openid-configuration')
  const { body } = discovery.answer
  const named =
    isObject(body) && typeof body.jwks_uri === 'string' && URL.canParse(body.jwks_uri) ? new URL(body.jwks_uri) : null
  const isOwn = named?.origin === new URL(issuer).origin
  return { discovery, jwks: await ask(isOwn && named ? named.pathname : '/.well-known/jwks.json') }
}
