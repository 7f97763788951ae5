/** The hosts for which plain `http://` is allowed in a redirect URL. spec: §2.5, RFC 8252 */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

export interface UrlRules {
  /** Hosts beside loopback for which `http:` passes, in small letters. */
  alsoPlain?: string[]
  /** An addition to the refusal of `http:`. */
  hint?: string
  /** A redirect URI of OAuth has no fragment (RFC 6749 §3.1.2). */
  fragment?: boolean
}

/** Returns the host as it is written: parsing would turn `127.1` into a loopback address, and wire §7 says "exactly". */
const writtenHost = (text: string) => /^https?:\/\/(?:[^@/?#\\]*@)?(\[[^\]]*\]|[^:/?#\\]*)/i.exec(text)?.[1] ?? ''

/** Describes why `text` is not a valid URL of a manifest; undefined when it is. spec: §2.5 rule 5, wire: §7 "plain http" */
export function urlIssue(text: string, { alsoPlain = [], hint = '', fragment = false }: UrlRules): string | undefined {
  if (!URL.canParse(text) || /\s|^https?:\/\/[/\\]/i.test(text)) return 'must be an absolute URL'
  const { protocol } = new URL(text)
  if (!/^https?:\/\//i.test(text)) return 'must be an https URL'
  if (!fragment && text.includes('#')) return 'must not have a fragment'
  if (protocol === 'https:') return undefined
  const host = writtenHost(text)
  if (LOOPBACK.has(host) || alsoPlain.includes(host.toLowerCase())) return undefined
  return `must be an https URL; http is allowed for localhost, 127.0.0.1 and [::1]${hint}`
}
