import { settingNames } from '../../emulator/world/setting-table.js'
import { InvalidSettingsError } from '../../emulator/world/settings.js'
import { warningOfVariables } from '../../emulator/world/variables.js'
import { didYouMean } from '../../foundation/schema/did-you-mean.js'
import { type Admin, connectBy } from '../client/connect.js'
import { UnreachableError } from '../client/errors.js'
import type { HttpClient } from '../client/http-client.js'
import { environmentOf } from './environment.js'
import { launch, type Running } from './launch.js'
import type { StartOptions } from './launch-options.js'

/** An emulator that runs in this process. `await using emulator = await startEmulator()` closes it by itself. */
export interface Emulator {
  /** The address it answers at, without a trailing slash. */
  url: string
  /** The address of the public API: `url` again. */
  baseUrl: string
  /** The address of the web application and the OAuth endpoints: the issuer. */
  appUrl: string
  /** The control API: a method for each of its calls. */
  admin: Admin
  /** What there was to say of its store, such as a torn last line that was dropped. */
  notes: string[]
  /** The variables that `mockademy exec` sets for its command: addresses, and the secrets of the first organization and app. */
  env: Record<string, string>
  /** Stops listening, cuts open connections, and resolves when everything is written. */
  close(): Promise<void>
  /** The same as `close`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Options that are no settings. */
const ownOptions: Record<Exclude<keyof StartOptions, (typeof settingNames)[number]>, true> = {
  fixtures: true,
  fresh: true,
  resume: true,
  onInternalError: true,
}

const ONE_WORLD = 'is an option of the commands start and exec; call startEmulator once for each world'

/** Warnings that this process has given: a suite starts many emulators. */
const warned = new Set<string>()

/**
 * Starts an emulator in this process, on any free port and in memory unless told otherwise.
 * @throws InvalidSettingsError for options that do not exist or have values that they cannot have.
 * @throws InvalidFixturesError for fixtures that cannot be read or are not valid.
 * @throws StartError when the port is taken, or the store is in use, unreadable or seeded from other fixtures.
 */
export async function startEmulator(options: StartOptions = {}): Promise<Emulator> {
  const known = [...Object.keys(ownOptions), ...settingNames.filter((name) => name !== 'worlds')]
  const unknown = Object.keys(options).filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new InvalidSettingsError(
      unknown.map((name) => ({
        path: name,
        message: name === 'worlds' ? ONE_WORLD : `is not a known option${didYouMean(name, known)}`,
      })),
    )
  }
  const warning = warningOfVariables(process.env)
  if (warning !== undefined && !warned.has(warning)) {
    warned.add(warning)
    process.emitWarning(warning)
  }
  return publicFace(await launch(options))
}

/** What users see of an emulator: nothing of its inside. */
async function publicFace(running: Running): Promise<Emulator> {
  const { url, notes, world } = running
  const close = () => running.close()
  return {
    url,
    baseUrl: url,
    appUrl: world.addresses.app_url,
    admin: connectBy(url, { admin_token: world.settings.admin_token }, inThisProcess(running)),
    notes,
    env: await environmentOf(running),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The control API of an emulator of this process: its calls need no connection. */
const inThisProcess =
  ({ url, world, dispatch }: Running): HttpClient =>
  async (request) => {
    if (world.closing.aborted) throw new UnreachableError(url, 'it has been closed')
    return dispatch({ ...request, headers: { host: new URL(url).host, ...request.headers } })
  }
