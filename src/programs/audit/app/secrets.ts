/** A shorter text would be found anywhere. */
const MIN_SECRET_CHARACTERS = 8

/** Matches as many token characters in a row as the shortest token has, whatever its form. RFC 6750 §2.1 */
export const mayHoldSecret = /[\w\-.~+/]{20,}/

/** A token or code as the emulator makes it without liberties. */
export const plainToken = /\b(?:at|rt|ac)_[\w-]{20,}/

/** `key`: by default the app's signing secret. `form`: options and filters of `openssl dgst`, by default for all hex digits. */
type SignatureOrigin = { body: string | Buffer; key?: string | undefined; form?: string }

export type Secrets = ReturnType<typeof createSecrets>

/** Creates the secrets of a run: no message shows one, and `leaks` looks for them. audit: rule 5. @param issuer of the id_tokens. */
export function createSecrets(issuer: string) {
  const kinds = new Map<string, string>()
  const signatures = new Map<string, SignatureOrigin>()
  const injected = new Set<string>()
  const unsought = new Set<string>()
  const isIdToken = (jwt: string) => !injected.has(jwt) && claimsOf(jwt).includes(`"iss":"${issuer}"`)
  return {
    /**
     * Adds a secret, and its base64.
     * @param kind replaces it in messages, such as `access token`.
     * @param isSought false: messages do not show it, and `leaks` does not look for it.
     */
    add(secret: string | null | undefined, kind: string, isSought = true): void {
      if (!secret || secret.length < MIN_SECRET_CHARACTERS) return
      for (const form of [secret, ...base64Of(secret)]) {
        kinds.set(form, kind)
        if (!isSought) unsought.add(form)
      }
    },
    /** Adds a signature, so that reports show the command that makes it. A genuine one is a secret. */
    addSignature(signature: string, origin: SignatureOrigin): void {
      if (origin.key === undefined && origin.form === undefined) kinds.set(signature, 'genuine signature')
      signatures.set(signature, origin)
    },
    /** Ignores an id_token of the attacker, which is in the log of every app that logs the addresses of requests. */
    addInjected(idToken: string): void {
      injected.add(idToken)
    },
    originOf: (signature: string) => signatures.get(signature),
    redact(text: string): string {
      let shown = text
      for (const [secret, kind] of kinds) if (shown.includes(secret)) shown = shown.replaceAll(secret, `[${kind}]`)
      return shown.replace(JWT, '[JWT]').replace(CODE, '$1[code]')
    },
    /** Returns the kinds of the secrets in a text, `id_token` for any that the platform has issued and that is not the attacker's. */
    foundIn(text: string): string[] {
      const sought = [...kinds].filter(([secret]) => !unsought.has(secret))
      const found = sought.filter(([secret]) => text.includes(secret)).map(([, kind]) => kind)
      const hasIdToken = (text.match(JWT) ?? []).some(isIdToken)
      return [...new Set([...found, ...(hasIdToken ? ['id_token'] : [])])]
    },
  }
}

/** Returns the parts of base64 that reveal a secret inside a longer text, such as `id:secret` in `Authorization: Basic`. */
function base64Of(secret: string): string[] {
  // By what comes before it, its bytes begin in the first, second or third of a group's three.
  const standard = [0, 1, 2].map((before) => {
    const bytes = Buffer.from('\0'.repeat(before) + secret)
    return bytes.toString('base64').slice(Math.ceil((before * 4) / 3), Math.floor((bytes.length * 4) / 3))
  })
  return [...standard, ...standard.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))]
}

const claimsOf = (jwt: string): string => Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()

const JWT = /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/g
const CODE = /([?&]code=)[^&\s'"]+/g
