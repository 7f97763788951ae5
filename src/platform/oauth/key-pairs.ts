import { createPrivateKey, createPublicKey, generateKeyPair, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'
import { unlessThrows } from '../../foundation/schema/unless-throws.js'
import testKeys from './test-keys.json' with { type: 'json' }

/** An RS256 key pair as JWKs, without their `kid`. */
export interface KeyPair {
  private_jwk: Record<string, unknown>
  public_jwk: Record<string, unknown>
}

const pairOf = (jwk: Record<string, unknown>): KeyPair => ({
  private_jwk: jwk,
  public_jwk: { kty: jwk.kty, n: jwk.n, e: jwk.e },
})

/** Returns true when the halves sign and verify by RS256, which takes RSA keys of 2,048 bits or more. RFC 7518 §3.3 */
export const signsAndVerifies = ({ private_jwk, public_jwk }: KeyPair): boolean =>
  unlessThrows(() => {
    const key = createPrivateKey({ key: private_jwk, format: 'jwk' })
    if (key.asymmetricKeyType !== 'rsa' || (key.asymmetricKeyDetails?.modulusLength ?? 0) < 2048) return false
    const text = Buffer.from('text')
    return verify('sha256', text, createPublicKey({ key: public_jwk, format: 'jwk' }), sign('sha256', text, key))
  }) ?? false

/** Returns the pair of a seeded world with this number: from the list in the package, over and over. wire: §1 "seed" */
export const testKeyPair = (number: number): KeyPair =>
  pairOf(testKeys[number % testKeys.length] as Record<string, unknown>)

/**
 * A pair that was made for a world that closed without ever using it, for the next one in this process: making one
 * costs a hundred milliseconds, and no two worlds share a key. control-api: "Worlds"
 */
let spare: Promise<KeyPair> | undefined

/** Returns a key pair that no world has used: the spare one, or one whose making begins now, in the background. */
export function takeKeyPair(): Promise<KeyPair> {
  const taken = spare ?? makeKeyPair()
  spare = undefined
  return taken
}

/** Keeps a pair that no world has published, for the next one. */
export function returnKeyPair(pair: Promise<KeyPair>): void {
  spare ??= pair
}

const generate = promisify(generateKeyPair)

function makeKeyPair(): Promise<KeyPair> {
  const made = generate('rsa', { modulusLength: 2048, publicExponent: 0x10001 }).then(({ privateKey }) =>
    pairOf(privateKey.export({ format: 'jwk' }) as Record<string, unknown>),
  )
  // The caller that awaits the pair gets the error; until one does, it must not end the process.
  made.catch(() => undefined)
  return made
}
