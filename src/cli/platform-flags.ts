import type { Options } from 'yargs'
import { isNear, readAddress } from '../real-platform/address.js'
import { PlatformFailure } from '../real-platform/platform-failure.js'
import type { Arguments } from './command.js'
import { CommandFailure } from './command-failure.js'

/** Flags of the commands that read a platform. real-platform */
export const platformFlags = {
  from: { type: 'string', describe: 'Base URL of the platform, without /v0', requiresArg: true },
  'api-key': { type: 'string', describe: 'API key of the organization [PLATFORM_API_KEY]', requiresArg: true },
  'requests-per-second': {
    type: 'string',
    default: '5',
    describe: 'How fast to ask at most; 0: as fast as it goes',
    requiresArg: true,
  },
} as const satisfies Record<string, Options>

/** What `platformFlags` say. @throws CommandFailure 2, naming the flag; what it held is not repeated. */
export function platformFrom(args: Arguments): { base: string; apiKey: string; requestsPerSecond: number } {
  const base = addressFrom(args, 'from')
  if (base === undefined) throw wrongUse('--from is missing: the base URL of the platform')
  const apiKey = textFrom(args, 'api-key') ?? process.env.PLATFORM_API_KEY
  if (!apiKey) throw wrongUse('--api-key is missing (or PLATFORM_API_KEY in the environment)')
  if (!isHeaderValue(apiKey)) throw wrongUse('--api-key holds characters that no API key has')
  const pace = textFrom(args, 'requests-per-second') as string
  if (!/^\d+(\.\d+)?$/.test(pace)) throw wrongUse('--requests-per-second must be a number, 0 for unpaced')
  return { base, apiKey, requestsPerSecond: Number(pace) }
}

/** A flag's text, or undefined. @throws CommandFailure 2 when it is given twice. */
export function textFrom(args: Arguments, flag: string): string | undefined {
  const value = args[flag]
  if (Array.isArray(value)) throw wrongUse(`--${flag} is given twice`)
  return value === undefined ? undefined : String(value)
}

/** A flag's credential. @throws CommandFailure 2 when no header could hold it. */
export function credentialFrom(args: Arguments, flag: string): string | undefined {
  const value = textFrom(args, flag)
  if (value !== undefined && !isHeaderValue(value)) throw wrongUse(`--${flag} holds characters that no credential has`)
  return value
}

/** An address without a trailing slash, or undefined. @throws CommandFailure 2 */
export function addressFrom(args: Arguments, flag: string): string | undefined {
  const text = textFrom(args, flag)
  return text === undefined ? undefined : asCommand(() => readAddress(`--${flag}`, text))
}

/** Certificates to trust: those of the local authority too, for an emulator that serves HTTPS on this machine. */
export async function authoritiesFor(base: string): Promise<string[] | undefined> {
  const { protocol, hostname } = new URL(base)
  if (protocol !== 'https:' || !isNear(hostname)) return undefined
  return (await import('../tls/authority.js')).trustedAuthorities()
}

/** A signal that Ctrl-C aborts, for as long as `work` takes. What the platform could not do is said as a command's failure. */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupted = new AbortController()
  const interrupt = () => interrupted.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)
  try {
    return await work(interrupted.signal)
  } catch (error) {
    throw asFailure(error)
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt)
  }
}

const asFailure = (error: unknown) =>
  error instanceof PlatformFailure ? new CommandFailure(error.exitStatus, `mockademy: ${error.message}`) : error

function asCommand<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw asFailure(error)
  }
}

const isHeaderValue = (text: string) => /^[\x21-\x7e]+$/.test(text)

export const wrongUse = (message: string) => new CommandFailure(2, `mockademy: ${message}`)
