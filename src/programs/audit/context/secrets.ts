/** The secrets of a run: no message shows one, and `leaks` looks for them. audit: rule 5 */
export interface Secrets {
  /**
   * Ignores what is shorter than 8 characters, which would be found anywhere.
   * @param kind replaces it in messages, such as `access token`.
   */
  add(secret: string | null | undefined, kind: string): void
  redact(text: string): string
  /** Returns the kinds of the secrets in a text. */
  foundIn(text: string): string[]
}

const SHORTEST = 8

export function createSecrets(): Secrets {
  const kinds = new Map<string, string>()
  return {
    add(secret, kind) {
      if (secret && secret.length >= SHORTEST) kinds.set(secret, kind)
    },
    redact(text) {
      let shown = text
      for (const [secret, kind] of kinds) if (shown.includes(secret)) shown = shown.replaceAll(secret, `[${kind}]`)
      return shown.replace(JWT, '[JWT]').replace(CODE, '$1[code]')
    },
    foundIn: (text) => [...new Set([...kinds].filter(([secret]) => text.includes(secret)).map(([, kind]) => kind))],
  }
}

/** The claims of every JWT in a text, as JSON. */
export const claimsIn = (text: string): string[] =>
  [...text.matchAll(JWT)].map(([token]) => Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

const JWT = /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/g
const CODE = /([?&]code=)[^&\s'"]+/g
