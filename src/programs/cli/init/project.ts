import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { isObject } from '../../../foundation/schema/is-object.js'
import { wrongUse } from '../command/command.js'
import { appsOf, findManifestFile, type ManifestFile, ofManifest } from '../dev/app-source.js'
import { parseJson } from '../files/json-file.js'
import { configFrom } from '../flags/emulator-options.js'
import { fixturesOf } from './fixtures.js'
import { languageOfFiles, packageNameOfFiles } from './languages.js'
import { type Runner, runnerNames, runners } from './runners.js'
import { argumentsOfNode, findApp, nodeSources, portOfScript } from './sources.js'

interface Framework {
  dependency: string
  port: number
  /** Path prefix of routes that are no pages, in a framework with file-based routing; otherwise empty. */
  prefix: string
}

/** A framework comes before those that it is built on. */
const frameworks: Framework[] = [
  { dependency: 'next', port: 3000, prefix: '/api' },
  { dependency: 'nuxt', port: 3000, prefix: '/api' },
  { dependency: '@sveltejs/kit', port: 5173, prefix: '/api' },
  { dependency: 'astro', port: 4321, prefix: '/api' },
  { dependency: '@react-router/dev', port: 5173, prefix: '/api' },
  { dependency: '@nestjs/core', port: 3000, prefix: '' },
  { dependency: 'hono', port: 3000, prefix: '' },
  { dependency: 'fastify', port: 3000, prefix: '' },
  { dependency: 'koa', port: 3000, prefix: '' },
  { dependency: 'express', port: 3000, prefix: '' },
]

const lockFiles: Record<string, string> = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
}

export type Project = Awaited<ReturnType<typeof inspectProject>>

export interface PackageJson {
  name?: unknown
  type?: unknown
  scripts?: Record<string, unknown>
  dependencies?: Record<string, unknown>
  devDependencies?: Record<string, unknown>
}

/**
 * Returns what the working folder shows of its app: language, runner, port, routes.
 * @param isNode a test of Node is wanted, whatever language the app has.
 * @param app the one to take of several.
 * @throws CommandFailure 2 for a package.json or fixtures that are not valid.
 */
export async function inspectProject(isNode: boolean, app?: string) {
  const manifest = await readManifest()
  const { name, scripts, dependencies, devDependencies } = manifest?.json ?? {}
  const has = (dependency: string) => dependency in { ...dependencies, ...devDependencies }
  const script = typeof scripts?.test === 'string' ? scripts.test : ''
  const runner = runnerOf(script, has)
  const framework = frameworks.find(({ dependency }) => has(dependency))
  const inNode = findApp(nodeSources, Boolean(framework?.prefix))
  const hasNode = isNode || runner !== undefined || framework !== undefined || inNode.entry !== undefined
  const language = hasNode ? undefined : languageOfFiles()
  const found = language ? findApp(language) : inNode
  const { appManifest, ...fixtureFacts } = await inspectFixtures(app)
  const own = webhookOfManifest(appManifest?.manifest)
  const webhook = own?.pathname ?? found.webhook
  const direct = `${has('tsx') ? 'tsx' : 'node'} ${found.entry?.path}`
  const starts = [scripts?.start, scripts?.dev, direct]
  const command = starts.map(argumentsOfNode).find((each) => each !== undefined)
  const devScript = language ? undefined : ['dev', 'start:dev', 'start'].find((each) => scripts?.[each] !== undefined)
  const startScript = String(scripts?.[devScript ?? ''] ?? '')
  const port =
    Number(portOfScript(startScript, found.readsDotenv) ?? found.port ?? own?.port) || framework?.port || 3000
  const packageName = language ? packageNameOfFiles() : name
  return {
    manifest,
    /** The package's name without its scope, or the folder's, as the id of an app. */
    id: appManifest?.manifest.id ?? idOf(typeof packageName === 'string' ? packageName : basename(process.cwd())),
    framework,
    language,
    appManifest,
    ...fixtureFacts,
    appUrl: own?.origin ?? `http://localhost:${port}`,
    found: { ...found, webhook },
    devScript,
    /** Start command for a test; undefined when the app has no webhook yet, or is not started as one file with Node. */
    start: !language && command && webhook ? { command, port, readsPort: found.readsPort } : undefined,
    /** Its test script; empty when there is none. */
    script,
    runner: runner ?? 'node:test',
    hasRunner: runner !== undefined,
    typescript: existsSync('tsconfig.json') || has('typescript'),
    ...inspectPackaging(manifest?.json, language === undefined),
    has,
  }
}

function runnerOf(script: string, has: (dependency: string) => boolean) {
  const isDependency = ({ dependency }: Runner) => dependency !== undefined && has(dependency)
  const ofScript = runnerNames.find((each) => runners[each].isIn.test(script))
  return ofScript ?? runnerNames.find((each) => isDependency(runners[each]))
}

async function inspectFixtures(app: string | undefined) {
  const { own, withApp, step } = fixturesOf(await configFrom({}))
  // A file that `init` has written and a person has deleted is written again.
  const apps = await appsOf(own.filter((file) => existsSync(file)))
  const hasApps = apps.length > 0
  return {
    apps,
    appManifest: apps.find(({ id }) => id === app) ?? apps[0] ?? (await readAppManifest()),
    fixtures: hasApps ? own : withApp,
    /** The step that names them in its mockademy.json; undefined when that has them or is yet to be written. */
    step: hasApps ? undefined : step,
  }
}

function inspectPackaging(json: PackageJson | undefined, isNodeApp: boolean) {
  return {
    modules: json?.type === 'module' ? ('esm' as const) : ('cjs' as const),
    packageManager: packageManagerOf(process.cwd()),
    /** The program that runs commands of dependencies. In Yarn's Plug'n'Play, npx would look for them in the registry. */
    executor: existsSync('.pnp.cjs') && isNodeApp ? 'yarn' : 'npx',
    /** Path of the package that editors and agents can read, where it is or will be installed; undefined with npx alone. */
    installed: installedPath() ?? (json && isNodeApp ? `node_modules/${PACKAGE}` : undefined),
  }
}

/** Returns the package manager of the nearest lock file: a workspace has it in a folder above. */
function packageManagerOf(folder: string): string {
  const found = Object.keys(lockFiles).find((file) => existsSync(join(folder, file)))
  if (found !== undefined) return lockFiles[found] as string
  const parent = dirname(folder)
  const isLast = parent === folder || ['package-lock.json', '.git'].some((name) => existsSync(join(folder, name)))
  return isLast ? 'npm' : packageManagerOf(parent)
}

const PACKAGE = 'mockademy'

/** Returns the path of the installed package; a workspace has it in a folder above. */
function installedPath(): string | undefined {
  const places = createRequire(resolve('package.json')).resolve.paths(PACKAGE) ?? []
  const found = places.map((each) => join(each, PACKAGE)).find((each) => existsSync(each))
  return found && relative('', found).replaceAll(sep, '/')
}

async function readAppManifest(): Promise<{ file: string; manifest: ManifestFile } | undefined> {
  const file = await findManifestFile()
  return file === undefined ? undefined : { file, manifest: (await (await ofManifest(file)).read()).manifest }
}

function webhookOfManifest(manifest: ManifestFile | undefined): URL | undefined {
  const webhook = manifest?.webhook
  return isObject(webhook) && URL.canParse(String(webhook.url)) ? new URL(String(webhook.url)) : undefined
}

async function readManifest(): Promise<{ text: string; json: PackageJson } | undefined> {
  const file = 'package.json'
  if (!existsSync(file)) return undefined
  const text = await readFile(file, 'utf8')
  const json = parseJson(text, file)
  if (!isObject(json)) throw wrongUse(`${file}: must be a JSON object`)
  for (const field of ['scripts', 'dependencies', 'devDependencies']) {
    if (json[field] === undefined || isObject(json[field])) continue
    throw wrongUse(`${file}: ${field} must be an object`)
  }
  return { text, json: json as PackageJson }
}

/** `@acme/Notes App` as `notes-app`. */
const idOf = (name: string) =>
  name
    .replace(/^@[^/]*\//, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64) || 'my-app'
