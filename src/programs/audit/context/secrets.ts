const SHORTEST = 8

export type Secrets = ReturnType<typeof createSecrets>

/** The secrets of a run: no message shows one, and `leaks` looks for them. audit: rule 5. @param issuer of the id_tokens. */
export function createSecrets(issuer: string) {
  const kinds = new Map<string, string>()
  const signedBodies = new Map<string, string | Buffer>()
  const injected = new Set<string>()
  const isIdToken = (jwt: string) => !injected.has(jwt) && claimsOf(jwt).includes(`"iss":"${issuer}"`)
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
    /** Ignores an id_token of the attacker, which is in the log of every app that logs the addresses of requests. */
    addInjected(idToken: string): void {
      injected.add(idToken)
    },
    /** Returns the body that a signature is genuine for; undefined for any other text. */
    bodySignedBy: (signature: string) => signedBodies.get(signature),
    redact(text: string): string {
      let shown = text
      for (const [secret, kind] of kinds) if (shown.includes(secret)) shown = shown.replaceAll(secret, `[${kind}]`)
      return shown.replace(JWT, '[JWT]').replace(CODE, '$1[code]')
    },
    /** Returns the kinds of the secrets in a text, `id_token` for any that the platform has issued and that is not the attacker's. */
    foundIn(text: string): string[] {
      const found = [...kinds].filter(([secret]) => text.includes(secret)).map(([, kind]) => kind)
      const hasIdToken = (text.match(JWT) ?? []).some(isIdToken)
      return [...new Set([...found, ...(hasIdToken ? ['id_token'] : [])])]
    },
  }
}

/** The claims of a JWT, as JSON. */
const claimsOf = (jwt: string): string => Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()

const JWT = /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/g
const CODE = /([?&]code=)[^&\s'"]+/g
