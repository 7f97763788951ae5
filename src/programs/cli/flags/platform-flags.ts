import { isIP } from 'node:net'
import { isLocalName, isNearby, normalizeHost } from '../../../foundation/http-client/targets.js'
import { PlatformFailure } from '../../real-platform/platform-client.js'
import { type Arguments, CommandFailure, flag, textFrom, wrongUse } from '../command/command.js'
import { abortOnStop, INTERRUPTED } from '../processes/stop-signal.js'
import { endProgress, noteProgress } from '../terminal/progress-line.js'

export const platformFlags = {
  from: flag.text('Base URL of the platform, without /v0'),
  'api-key': flag.text('API key of the organization', { defaultDescription: 'PLATFORM_API_KEY' }),
  'requests-per-second': flag.text('Maximum requests per second; 0 for no limit', { default: '5' }),
}

/** Reads `platformFlags`, and the certificates to trust. @throws CommandFailure 2, naming the flag and not its value. */
export async function platformFrom(args: Arguments) {
  const base = addressFrom(args, 'from')
  if (base === undefined) throw wrongUse('--from is missing: the base URL of the platform')
  if (base.startsWith('http:') && !isPrivateHost(new URL(base).hostname)) {
    throw wrongUse('--from would send the credential unencrypted; use https://')
  }
  const apiKey = textFrom(args, 'api-key') ?? process.env.PLATFORM_API_KEY
  if (!apiKey) throw wrongUse('--api-key is missing (or PLATFORM_API_KEY in the environment)')
  if (!isHeaderValue(apiKey)) throw wrongUse('--api-key contains characters that an API key cannot have')
  const pace = textFrom(args, 'requests-per-second') as string
  if (!/^\d+(\.\d+)?$/.test(pace)) throw wrongUse('--requests-per-second must be a number; 0 means no limit')
  return { base, apiKey, requestsPerSecond: Number(pace), authorities: await authoritiesFor(base) }
}

/** Returns the credential of a flag. @throws CommandFailure 2 when no header could hold it. */
export function credentialFrom(args: Arguments, flag: string): string | undefined {
  const value = textFrom(args, flag)
  if (value !== undefined && !isHeaderValue(value)) throw wrongUse(`--${flag} holds characters that no credential has`)
  return value
}

/** Returns the `{base_url}` or issuer of a flag, without a trailing slash. @throws CommandFailure 2, without the flag's value. */
export function addressFrom(args: Arguments, flag: string): string | undefined {
  const text = textFrom(args, flag)
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw wrongUse(`--${flag} must be an http or https URL`)
  if (url.username || url.password) throw wrongUse(`--${flag} must not contain a user name or password`)
  if (url.search || url.hash) throw wrongUse(`--${flag} must not have a query or a fragment`)
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v0$/, '')
}

/** Returns true for this machine, a container beside it, or a private network. */
function isPrivateHost(hostname: string): boolean {
  const host = normalizeHost(hostname)
  return isIP(host) === 0 ? isLocalName(host) : isNearby(host)
}

/** Returns the certificates to trust; with the local authority's, for an emulator that serves HTTPS on this machine. */
async function authoritiesFor(base: string): Promise<string[] | undefined> {
  const { protocol, hostname } = new URL(base)
  if (protocol !== 'https:' || !isPrivateHost(hostname)) return undefined
  return (await import('../../../foundation/tls/authority.js')).trustedAuthorities()
}

/** Runs `work` until it ends or a stop signal aborts it. @throws CommandFailure 130 then, else as the platform's failure says. */
export function runAgainstPlatform<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal } = abortOnStop()
  const rejected = (error: unknown): never => {
    const failure = error instanceof PlatformFailure ? error : undefined
    if (signal.aborted) throw new CommandFailure(INTERRUPTED, failure?.message ?? 'interrupted')
    throw failure ? new CommandFailure(failure.exitStatus, failure.message) : error
  }
  return work(signal).catch(rejected).finally(endProgress)
}

export const printWait = ({ waiting, why }: { waiting: number; why: string }) =>
  noteProgress(`waiting ${(waiting / 1000).toFixed(1)} s after ${why}`)

const isHeaderValue = (text: string) => /^[\x21-\x7e]+$/.test(text)
