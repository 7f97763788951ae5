/** The secrets that a run comes to know, so that no message shows one and `leaks` can look for them. audit: rule 5 */
export interface Secrets {
  /** @param kind what stands in its place, as `access token`. Shorter than 8 characters: none, it would be found anywhere. */
  add(secret: string | null | undefined, kind: string): void
  redact(text: string): string
  /** The kinds of the secrets that a text holds. */
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

/** A signed token, whoever signed it. */
export const JWT = /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/g
const CODE = /([?&]code=)[^&\s'"]+/g
