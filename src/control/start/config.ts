import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { GivenSettings } from '../../emulator/world/setting-table.js'
import { checkSettings } from '../../emulator/world/settings.js'
import { withoutByteOrderMark } from '../../foundation/schema/byte-order-mark.js'
import { didYouMean } from '../../foundation/schema/did-you-mean.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { parseJsonText } from '../../foundation/schema/json-text.js'
import { StartError } from '../../foundation/store/start-error.js'

/** The content of a project's `mockademy.json`. control-api: "CLI" */
export interface Config {
  file: string | undefined
  /** Settings: weaker than flags and variables, stronger than those of fixtures. */
  settings: GivenSettings
  /** Fixture files to begin with; undefined when it names none. */
  fixtures: string[] | undefined
  /** The file of `mockademy audit`. */
  audit: unknown
}

const invalid = (message: string) => new StartError(2, message)

const known = ['$schema', 'settings', 'fixtures', 'audit']

/**
 * Reads the configuration of the project in which the command runs. Its paths are relative to its own folder.
 * @param path of the file; without it, that of `findConfig` is read.
 * @throws StartError 2 for a file that cannot be read or has a wrong shape; InvalidOptionsError for invalid settings.
 */
export async function readConfig(path?: string): Promise<Config> {
  const file = path === undefined ? findConfig(process.cwd()) : resolve(path)
  if (file === undefined) return { file, settings: {}, fixtures: undefined, audit: undefined }
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw invalid(`${file} cannot be read: ${error.message}`)
  })
  const { value: document, line, reason } = parseJsonText(withoutByteOrderMark(text))
  if (line !== undefined) throw invalid(`${file}: line ${line}: is not valid JSON: ${reason}`)
  if (!isObject(document)) throw invalid(`${file}: must be a JSON object`)
  const unknown = Object.keys(document).find((name) => !known.includes(name))
  if (unknown !== undefined) throw invalid(`${file}: ${unknown} is not a known field${didYouMean(unknown, known)}`)
  const at = (relative: string) => resolve(dirname(file), relative)
  const given = document.settings ?? {}
  if (!isObject(given)) throw invalid(`${file}: settings must be an object`)
  const { store, webhook_ca } = given
  const paths = {
    ...(isPath(store) && store !== 'memory' && { store: at(store) }),
    ...(isPath(webhook_ca) && { webhook_ca: at(webhook_ca) }),
  }
  return {
    file,
    settings: await checkSettings({ ...given, ...paths }, (name) => `${file}: settings.${name}`),
    fixtures: fixturesIn(file, document.fixtures)?.map(at),
    audit: document.audit,
  }
}

const isPath = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** Returns `mockademy.json` in the nearest folder that has it, from `folder` up to the one with `package.json`. */
function findConfig(folder: string): string | undefined {
  const file = join(folder, 'mockademy.json')
  if (existsSync(file)) return file
  const above = dirname(folder)
  return existsSync(join(folder, 'package.json')) || above === folder ? undefined : findConfig(above)
}

function fixturesIn(file: string, fixtures: unknown): string[] | undefined {
  if (fixtures === undefined) return undefined
  const files = [fixtures].flat()
  if (files.every((each) => typeof each === 'string')) return files
  throw invalid(`${file}: fixtures must be a file or an array of files`)
}

/** Removes the port and the store of the configuration, which only the command `start` uses. */
export function withoutPortAndStore({ port: _, store: __, ...settings }: GivenSettings): GivenSettings {
  return settings
}
