import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { isObject } from '../../../foundation/schema/is-object.js'
import { newestVersion } from '../../../foundation/schema/newest-version.js'
import { type Arguments, textFrom, wrongUse } from '../command/command.js'
import { parseJson, readJsonFile } from '../files/json-file.js'
import { configFrom, fixturesGiven } from '../flags/emulator-options.js'

/** An app as its file describes it. The emulator checks the manifest. */
export interface AppDescription {
  manifest: ManifestFile
  client_id?: string
  client_secret?: string
  signing_secret?: string
}

export interface ManifestFile {
  id: string
  version: string
  [member: string]: unknown
}

export interface AppSource {
  file: string
  id: string
  /** @throws CommandFailure 2 when the file no longer describes the app. */
  read(): Promise<AppDescription>
}

const OWN_NAME = 'mockademy.manifest.json'
const USUAL_NAME = 'manifest.json'

export const SEARCHED = `--manifest FILE, an app in the fixtures of mockademy.json, ${OWN_NAME}, and a ${USUAL_NAME} with id and version`

/** Finds the app of the working folder. dev: point 2. @throws CommandFailure 2 for a file that cannot be read. */
export async function findAppSource(args: Arguments): Promise<AppSource | undefined> {
  const given = textFrom(args, 'manifest')
  if (given === '') throw wrongUse('--manifest needs a value')
  if (given !== undefined) return ofManifest(given)
  const [first] = await appsOf(fixturesGiven(args) ?? (await configFrom(args)).fixtures ?? [])
  if (first) {
    const { file, id } = first
    return { file: relative('', file), id, read: () => appOf(file, id) }
  }
  const file = await findManifestFile()
  return file === undefined ? undefined : ofManifest(file)
}

/** Returns the file in the working folder that holds an app's manifest. @throws CommandFailure 2 for one that is not JSON. */
export async function findManifestFile(): Promise<string | undefined> {
  if (existsSync(OWN_NAME)) return OWN_NAME
  return existsSync(USUAL_NAME) && isManifest(parseJson(await readFile(USUAL_NAME, 'utf8'), USUAL_NAME))
    ? USUAL_NAME
    : undefined
}

/** Returns the app that a manifest in a file describes. @throws CommandFailure 2 for a file without one. */
export async function ofManifest(file: string): Promise<AppSource> {
  const read = async () => {
    const manifest: object = await readJsonFile(file)
    mustBeManifest(manifest, file)
    return { manifest }
  }
  return { file, id: (await read()).manifest.id, read }
}

/** Returns true for an app's manifest; a web app manifest has no version, that of a browser extension no id. */
const isManifest = (value: unknown): value is ManifestFile =>
  isObject(value) && typeof value.id === 'string' && typeof value.version === 'string'

/** @throws CommandFailure 2 for anything else. */
function mustBeManifest(value: unknown, file: string): asserts value is ManifestFile {
  if (!isManifest(value)) throw wrongUse(`${file}: a manifest needs id and version, each a string`)
}

async function appOf(file: string, id: string): Promise<AppDescription> {
  const found = (await appsIn(file)).find(({ manifest }) => manifest.id === id)
  if (found) return found
  throw wrongUse(`${file} has no app ${id} any more`)
}

/** Returns the apps of fixture files. @throws CommandFailure 2 for a file that cannot be read. */
export async function appsOf(files: string[]) {
  const inFile = async (file: string) =>
    (await appsIn(file)).map(({ manifest }) => ({ file, id: manifest.id, manifest }))
  return (await Promise.all(files.map(inFile))).flat()
}

/** Returns the apps of a fixture document, each with its newest manifest. @throws CommandFailure 2 for one without. */
async function appsIn(file: string): Promise<AppDescription[]> {
  const { apps } = (await readJsonFile(file)) as { apps?: unknown }
  return [apps].flat().flatMap((app): AppDescription[] => {
    if (!isObject(app)) return []
    const { manifest, versions, client_id, client_secret, signing_secret } = app as Record<string, unknown>
    const newest = manifest ?? newestVersion([versions].flat().filter(isManifest))
    mustBeManifest(newest, file)
    return [{ manifest: newest, ...texts({ client_id, client_secret, signing_secret }) }]
  })
}

const texts = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string'))
