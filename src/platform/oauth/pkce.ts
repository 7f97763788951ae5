import { hash } from 'node:crypto'
import type { CodeRecord } from './code-record.js'

/** The methods that derive a challenge from a verifier. RFC 7636 §4.2 */
export const challengeMethods = {
  S256: (verifier: string) => hash('sha256', verifier, 'base64url'),
  plain: (verifier: string) => verifier,
}

export type ChallengeMethod = keyof typeof challengeMethods

export const isChallengeMethod = (text: string): text is ChallengeMethod => Object.hasOwn(challengeMethods, text)

/** Returns true for text in the form of a challenge or verifier. RFC 7636 §4.1, §4.2. wire: §6 "PKCE" */
export const isChallenge = (text: string): boolean => /^[A-Za-z0-9._~-]{43,128}$/.test(text)

/**
 * Describes why the verifier of the token request does not match the code's challenge; undefined when it does. wire: §6 "PKCE"
 * A verifier without a challenge is refused too: its client believes in a protection that is not there (RFC 9700 §2.1.1).
 */
export function verifierIssue(
  { code_challenge, code_challenge_method }: Pick<CodeRecord, 'code_challenge' | 'code_challenge_method'>,
  verifier: string | undefined,
) {
  if (code_challenge === null && verifier === undefined) return undefined
  if (code_challenge === null) return 'a code_verifier was sent for a code that was requested without a code_challenge'
  if (verifier === undefined) return 'the code_verifier is missing: the code was requested with a code_challenge'
  if (!isChallenge(verifier)) return 'a code_verifier has 43 to 128 of the characters A-Z a-z 0-9 - . _ ~'
  const method = code_challenge_method ?? 'plain'
  if (challengeMethods[method](verifier) === code_challenge) return undefined
  return `the code_verifier does not match the code_challenge (${method})`
}

/** Mistakes in deriving a challenge from its verifier. */
const mistakenChallenges: [derive: (verifier: string) => string, description: string][] = [
  [challengeMethods.S256, 'The challenge is the S256 of the verifier: send code_challenge_method=S256 with it'],
  [challengeMethods.plain, 'The challenge and the verifier are equal: the challenge must be the S256 of the verifier'],
  [(verifier) => hash('sha256', verifier, 'hex'), 'The challenge is the SHA-256 in hex: encode it as base64url'],
]

/** Describes what a challenge is that does not match its verifier, for the journal; undefined when it is unrelated. */
export const describeChallenge = (challenge: string | null, verifier = ''): string | undefined =>
  mistakenChallenges.find(([derive]) => derive(verifier) === challenge)?.[1]
