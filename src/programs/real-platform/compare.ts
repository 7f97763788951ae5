import { isObject } from '../../foundation/schema/is-object.js'
import { checks } from './checks.js'
import type { CheckResult, Difference } from './difference.js'
import { type Evidence, gatherEvidence, successful } from './evidence.js'
import { type ClientOptions, createPlatformClient } from './platform-client.js'
import { type EmulatorReference, readReference } from './reference.js'
import { askSignIn, signInChecks } from './sign-in-checks.js'
import { createTypeReader, typeNamesIn } from './type-names.js'

export interface CompareOptions extends ClientOptions {
  /** An access token of an installation, to compare the response to a missing scope. */
  token?: string | undefined
  /** `{app_url}`: discovery and JWKS are compared when it is given. */
  issuer?: string | undefined
  /** The reference of the comparison; an emulator of this process when left out. */
  referenceFor?: (typeNames: Record<string, string>) => Promise<EmulatorReference>
  onProgress?: (progress: { asking: string; requests: number } | { waiting: number; why: string }) => void
}

export interface Comparison {
  checks: Omit<CheckResult, 'differences'>[]
  differences: Difference[]
  /** The settings that adapt an emulator to the platform. wire: §8 */
  settings: Record<string, string | number | Record<string, string>>
  requests: number
}

/**
 * Compares a platform with what the emulator's documents say of it. Nothing is changed there. real-platform: "compare"
 * @throws PlatformFailure 1 when the platform cannot be reached or does not accept the key or the token.
 */
export async function compare(options: CompareOptions): Promise<Comparison> {
  const { token, issuer, referenceFor = readReference, onProgress = () => {} } = options
  const client = createPlatformClient(options, onProgress)
  const signIn = issuer && { issuer, client: createPlatformClient({ ...options, base: issuer }, onProgress) }
  const requests = () => client.sent() + (signIn ? signIn.client.sent() : 0)
  try {
    const onAsk = (asking: string) => onProgress({ asking, requests: requests() })
    const evidence = await gatherEvidence(client, token, onAsk)
    const typeNames = typeNamesOf(evidence)
    const reference = await referenceFor(typeNames)
    const { resourceDifferences } = reference
    const results = checks.map((run) => run({ ...evidence, typeNames, resourceDifferences }))
    if (signIn) {
      const answered = await askSignIn(signIn.client, signIn.issuer, reference)
      results.push(...signInChecks.map((run) => run(answered)))
    }
    const differences = results.flatMap((result) => result.differences)
    const settings = differences.flatMap(({ setting }) => (setting ? [[setting.name, setting.value]] : []))
    return {
      checks: results.map(({ differences: _, ...check }) => check),
      differences,
      settings: Object.fromEntries(settings),
      requests: requests(),
    }
  } finally {
    client.close()
    if (signIn) signIn.client.close()
  }
}

/** Reads the platform's names of element types from its documents and elements. */
function typeNamesOf(evidence: Evidence): Record<string, string> {
  const { described, refused } = evidence
  const search = refused.find(({ refusal }) => refusal.detail === 'type')
  const names = typeNamesIn(described.response.body, search?.response.body)
  const read = createTypeReader({ names }, () => {})
  for (const { component, items } of successful(evidence)) {
    if (component !== 'Element') continue
    for (const { type, properties } of items)
      if (typeof type === 'string' && isObject(properties)) read(type, properties)
  }
  return names
}
