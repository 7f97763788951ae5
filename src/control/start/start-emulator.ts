import { type GivenSettings, type SettingOptions, settingNames } from '../../emulator/world/setting-table.js'
import {
  checkSettings,
  environmentName,
  settingsFromEnvironment,
  warningOfVariables,
} from '../../emulator/world/settings.js'
import { camelCase, checkKinds, checkOptionNames, InvalidOptionsError } from '../../foundation/schema/options.js'
import { StartError } from '../../foundation/store/start-error.js'
import type { Admin } from '../client/admin.js'
import { connectWith } from '../client/connect.js'
import { UnreachableError } from '../client/errors.js'
import type { HttpClient } from '../client/http-client.js'
import type { Fixtures } from '../fixtures/fixture-sources.js'
import { type Config, readConfig, withoutPortAndStore } from './config.js'
import { environmentOf } from './environment.js'
import { launch, type Running } from './launch.js'

/** The settings, and the world to begin with. */
interface WorldOptions extends SettingOptions {
  /** The world to begin with: documents, or paths of files that hold one. Those of `config` when left out, else the default world. */
  fixtures?: Fixtures | undefined
  /**
   * A file such as `mockademy.json`, with settings and fixtures; its `port` and `store` are left to `mockademy start`. When
   * left out, the `mockademy.json` of the working folder or of the nearest folder above it, up to the one with
   * `package.json`, if there is one; false: none.
   */
  config?: string | false | undefined
  /** Receives errors that are the emulator's own; they go to standard error when left out. */
  onInternalError?: ((error: unknown) => void) | undefined
}

/**
 * Options of `startEmulator`: every setting in camelCase, the world to begin with, and at most one of `fresh` and `resume`.
 * Durations are milliseconds or text such as `5m`.
 * @example
 * const options: StartOptions = { pageSize: 20, store: '.mockademy/store.json', resume: true }
 */
export type StartOptions = WorldOptions & (FreshStart | ResumedStart)

/** Discards the store's world. */
interface FreshStart {
  /** Seeds the store again from the fixtures; the old file is kept beside it. */
  fresh?: boolean | undefined
  resume?: false | undefined
}

/** Keeps the store's world; also what happens without `resume`, if the fixtures are the same. */
interface ResumedStart {
  fresh?: false | undefined
  /** Continues with the existing store, whatever fixtures it was seeded from. */
  resume?: boolean | undefined
}

/**
 * An emulator that runs in this process.
 * @example
 * await using emulator = await startEmulator() // closed at the end of the block (TypeScript, or Node.js 24)
 * await emulator.admin.install({ app: 'notes', organization: 'acme' })
 */
export interface Emulator {
  /** The address of the public API and of everything else, without a trailing slash. */
  url: string
  /** The address of the web application and the OAuth endpoints: the issuer. It is `url`, unless `appUrl` was set. */
  appUrl: string
  /** The control API: a method for each of its calls. */
  admin: Admin
  /** Warnings, e.g. that a truncated last line of the store was dropped. */
  notes: string[]
  /** The variables that `mockademy exec` sets for its command: addresses, and the secrets of the first organization and app. */
  env: Record<string, string>
  /** Writes a report of the run, as `admin.report` does. */
  report: Admin['report']
  /** Stops listening, cuts open connections, and resolves when everything is written. */
  close(): Promise<void>
  /** Calls `close`. */
  [Symbol.asyncDispose](): Promise<void>
}

const optionNames = [
  ...(['fixtures', 'config', 'fresh', 'resume', 'onInternalError'] satisfies (keyof StartOptions)[]),
  ...settingNames.map(camelCase),
]

const ONE_WORLD = 'is an option of the commands start and exec; call startEmulator once for each world'

const OLD_JSDOM =
  'This test environment lacks URL.canParse or AbortSignal.any, like jsdom before version 26 (Jest before version 30). Put /** @jest-environment node */ at the top of the test file (Vitest: @vitest-environment), or update jsdom.'

/** Warnings that this process has given: a suite starts many emulators. */
const warned = new Set<string>()

/**
 * Starts an emulator in this process, on any free port and in memory unless the options say otherwise. Variables such as
 * `MOCKADEMY_PAGE_SIZE` set what no option sets, and `mockademy.json` what neither sets.
 * @throws InvalidOptionsError for options that do not exist or have invalid values.
 * @throws InvalidFixturesError for fixtures that cannot be read or are not valid.
 * @throws StartError when the port is in use, the configuration cannot be read, the store is in use, unreadable or seeded from other fixtures, or the test environment lacks globals of Node.
 * @example
 * const emulator = await startEmulator({ pageSize: 20, accessTokenTtl: '5m' })
 * await fetch(`${emulator.url}/v0/courses`, { headers: { authorization: 'Bearer key_acme' } })
 * await emulator.close()
 */
export async function startEmulator(options: StartOptions = {}): Promise<Emulator> {
  if (!('canParse' in URL && 'any' in AbortSignal)) throw new StartError(2, OLD_JSDOM)
  checkOptionNames(options, optionNames)
  if ('worlds' in options) throw new InvalidOptionsError([{ path: 'worlds', message: ONE_WORLD }])
  checkKinds(options, { fresh: 'boolean', resume: 'boolean', onInternalError: 'function' })
  if (options.fresh && options.resume) {
    throw new InvalidOptionsError([{ path: 'fresh', message: 'cannot be combined with resume' }])
  }
  const warning = warningOfVariables(process.env)
  if (warning !== undefined && !warned.has(warning)) {
    warned.add(warning)
    process.emitWarning(warning)
  }
  const { config: file, fresh, resume, onInternalError } = options
  if (file !== undefined && file !== false && typeof file !== 'string') {
    throw new InvalidOptionsError([{ path: 'config', message: 'must be the path of a file, or false' }])
  }
  const config = file === false ? undefined : await readConfig(file)
  const explicitSettings = await settingsOf(options, config)
  // Null, as of a world that could not be loaded, is refused like any other value that is no world.
  const fixtures = options.fixtures === undefined ? config?.fixtures : options.fixtures
  const running = await launch({ explicitSettings, fixtures, fresh, resume, onInternalError })
  try {
    return await toEmulator(running)
  } catch (error) {
    await running.close().catch(() => {})
    throw error
  }
}

/** Returns the settings from options, environment and configuration, in this order of precedence. @throws InvalidOptionsError */
async function settingsOf(options: StartOptions, config: Config | undefined): Promise<GivenSettings> {
  const values: Record<string, unknown> = { ...options }
  const given = settingNames.map((name) => [name, values[camelCase(name)]]).filter(([, value]) => value !== undefined)
  return {
    ...withoutPortAndStore(config?.settings ?? {}),
    ...(await checkSettings(settingsFromEnvironment(process.env), environmentName)),
    ...(await checkSettings(Object.fromEntries(given), camelCase)),
  }
}

/** Returns the public part of an emulator, nothing of its inside. */
async function toEmulator(running: Running): Promise<Emulator> {
  const { url, notes, world } = running
  const close = () => running.close()
  const admin = connectWith(url, { adminToken: world.settings.admin_token }, dispatchingClient(running))
  return {
    url,
    appUrl: world.addresses.app_url,
    admin,
    notes,
    env: await environmentOf(running),
    report: admin.report,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Returns the control API of an emulator of this process: its calls need no connection. */
const dispatchingClient =
  ({ url, world, dispatch }: Running): HttpClient =>
  async (request) => {
    if (world.closing.aborted) throw new UnreachableError(url, 'it has been closed')
    return dispatch({ ...request, headers: { host: new URL(url).host, ...request.headers } })
  }
