import { isIP } from 'node:net'
import { PlatformFailure } from './platform-failure.js'

/**
 * The `{base_url}` or issuer that a flag names, without a trailing slash.
 * @throws PlatformFailure 2 when it is no http(s) URL, holds a credential, or would send one in clear over a network.
 */
export function readAddress(flag: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw wrong(flag, 'must be an http or https URL')
  if (url.username || url.password) throw wrong(flag, 'must not contain a user name or password')
  if (url.search || url.hash) throw wrong(flag, 'must not have a query or a fragment')
  if (url.protocol === 'http:' && !isNear(url.hostname)) {
    throw wrong(flag, 'would send the credential unencrypted; use https://')
  }
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v0$/, '')
}

// The text is not repeated: a credential may have slipped into it.
const wrong = (flag: string, what: string) => new PlatformFailure(2, `${flag} ${what}`)

/** This machine, a container beside it, or a private network. */
export function isNear(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) === 4) return /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(host)
  if (isIP(host) === 6) return host === '::1' || /^f[cd]/i.test(host)
  return !host.includes('.') || /\.localhost$/.test(host) || host === 'host.docker.internal'
}
