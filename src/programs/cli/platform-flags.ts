import type { Options } from 'yargs'
import { isNear, readAddress } from '../real-platform/address.js'
import { PlatformFailure } from '../real-platform/platform-failure.js'
import type { Arguments } from './command.js'
import { CommandFailure } from './command-failure.js'
import { textFrom, wrongUse } from './flag-text.js'
import { interruptible } from './interruption.js'
import { noteProgress } from './progress-line.js'

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
  return (await import('../../foundation/tls/authority.js')).trustedAuthorities()
}

/** `interruptible`, with what the platform could not do said as a command's failure. */
export const askingPlatform = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  interruptible(work).catch((error: unknown) => {
    throw asFailure(error)
  })

/** Why nothing happens for a while, and for how long in ms. */
export const noteWaiting = ({ waiting, why }: { waiting: number; why: string }) =>
  noteProgress(`waiting ${(waiting / 1000).toFixed(1)} s after ${why}`)

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
