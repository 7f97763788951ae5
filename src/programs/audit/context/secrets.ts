const SHORTEST = 8

export type Secrets = ReturnType<typeof createSecrets>

/** The secrets of a run: no message shows one, and `leaks` looks for them. audit: rule 5. @param issuer of the id_tokens. */
export function createSecrets(issuer: string) {
  const kinds = new Map<string, string>()
  const signedBodies = new Map<string, string | Buffer>()
  const isIdToken = (claims: string) => claims.includes(`"iss":"${issuer}"`)
  return {
    /**
     * Ignores what is shorter than 8 characters, which would be found anywhere.
     * @param kind replaces it in messages, such as `access token`.
     */
    add(secret: string | null | undefined, kind: string): void {
      if (secret && secret.length >= SHORTEST) kinds.set(secret, kind)
    },
    /** Adds a signature that is genuine for a body. */
    addSignature(signature: string, body: string | Buffer): void {
      kinds.set(signature, 'genuine signature')
      signedBodies.set(signature, body)
    },
    /** Returns the body that a signature is genuine for; undefined for any other text. */
    bodySignedBy: (signature: string) => signedBodies.get(signature),
    redact(text: string): string {
      let shown = text
      for (const [secret, kind] of kinds) if (shown.includes(secret)) shown = shown.replaceAll(secret, `[${kind}]`)
      return shown.replace(JWT, '[JWT]').replace(CODE, '$1[code]')
    },
    /** Returns the kinds of the secrets in a text, `id_token` for any that the platform has issued. */
    foundIn(text: string): string[] {
      const found = [...kinds].filter(([secret]) => text.includes(secret)).map(([, kind]) => kind)
      return [...new Set([...found, ...(claimsIn(text).some(isIdToken) ? ['id_token'] : [])])]
    },
  }
}

/** The claims of every JWT in a text, as JSON. */
const claimsIn = (text: string): string[] =>
  [...text.matchAll(JWT)].map(([token]) => Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

const JWT = /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/g
const CODE = /([?&]code=)[^&\s'"]+/g
