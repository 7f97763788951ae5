import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { installScope } from '../../../platform/apps/manifest.js'
import { manifestSchema } from '../../../platform/apps/manifest-schema.js'
import type { Scope } from '../../../platform/authentication/scopes.js'
import type { ManifestFile } from '../dev/app-source.js'
import { APP, WORLD } from './fixtures.js'
import type { Project } from './project.js'
import { fill, type Modules, type Runner, type RunnerName, runners, testText } from './runners.js'
import auditFile from './templates/audit-file.txt'
import scenario from './templates/scenario.json' with { type: 'json' }
import world from './templates/world.json' with { type: 'json' }

export interface Choices {
  app: string
  /** The app's address, without a trailing slash. */
  appUrl: string
  runner: RunnerName
}

export const SCENARIO = 'mockademy/scenarios/install.json'

/** A path that a token of the scenario's own organization may read with a scope, and a part of the payload there. */
const readable: Record<Scope, { path: string; payload: object }> = {
  'elements:read': { path: '/v0/elements/trial-page', payload: { name: 'Welcome' } },
  'courses:read': { path: '/v0/courses/trial-course', payload: { name: 'A Course' } },
  'modules:read': { path: '/v0/modules/trial-module', payload: { name: 'Week 1' } },
  'members:read': { path: '/v0/members/trial-owner', payload: { email: 'owner@trial.test' } },
  'activities:read': { path: '/v0/activities', payload: { next: null } },
}

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`

export function newFiles(project: Project, choices: Choices) {
  const { app, appUrl } = choices
  const manifest = manifestOf(project, choices)
  /** Part of a JSON text. */
  const inJson = (url: string) => JSON.stringify(url).slice(1, -1)
  const at = inJson(appUrl + (project.framework?.prefix ?? ''))
  // A page, where no route was found.
  const { login = '/login', logout: found } = project.found
  const start = inJson(appUrl + login)
  const logout = found === undefined ? `${at}/logout` : inJson(appUrl + found)
  const files = [
    { path: 'mockademy.json', text: json({ settings: { port: 4600 }, fixtures: project.fixtures }) },
    { path: WORLD, text: json(world) },
    { path: APP, text: json(appDocument(manifest)) },
    { path: SCENARIO, text: scenarioText(manifest, app) },
    { path: 'mockademy.audit.json', text: fill(auditFile, { app, at, start, logout }) },
    ...(writesTest(project) ? [testFile(project, choices)] : []),
  ]
  const { installed } = project
  const withSchema = (text: string) =>
    installed === undefined
      ? text.replace(/^ *"\$schema": .*\n/m, '')
      : text.replace(/(?<="\$schema": "[./]*)node_modules\/mockademy/, installed)
  const isRead = (path: string) => project.fixtures.includes(path) || ![WORLD, APP].includes(path)
  return files.filter(({ path }) => isRead(path)).map(({ path, text }) => ({ path, text: withSchema(text) }))
}

function appDocument(manifest: ManifestFile) {
  const secret = manifest.id.replaceAll('-', '_')
  return {
    $schema: '../node_modules/mockademy/fixtures/schema.json',
    apps: [
      { client_id: `app_${secret}`, client_secret: `${secret}_secret`, signing_secret: `${secret}_signing`, manifest },
    ],
  }
}

/**
 * Installs the app and reads what its scopes allow; only installs one without tokens or scopes. It does so in an
 * organization of its own, as `dev` may have installed the app in the world's.
 */
function scenarioText(manifest: ManifestFile, app: string): string {
  const { data } = manifestSchema([]).safeParse(manifest)
  const granted = data ? installScope(data).split(' ') : []
  const [, target] = Object.entries(readable).find(([scope]) => granted.includes(scope)) ?? []
  const { $schema, steps } = scenario
  const [fixtures, install, read, ...others] = steps
  const first = [fixtures, install]
  if (!target) return fill(json({ $schema, title: 'The app can be installed', steps: first }), { app })
  const { path, payload } = target
  const filled = { ...scenario, steps: [...first, { ...read, expect: { status: 200, body: { payload } } }, ...others] }
  return fill(json(filled), { app, path })
}

function manifestOf(project: Project, { app, appUrl }: Choices): ManifestFile {
  if (project.appManifest) return { ...project.appManifest.manifest, id: app }
  const at = (path: string) => `${appUrl}${project.framework?.prefix ?? ''}${path}`
  const { callback } = project.found
  return {
    id: app,
    name: app.charAt(0).toUpperCase() + app.slice(1).replaceAll(/[-_]+/g, ' '),
    version: '1.0.0',
    permissions: ['courses:read', 'elements:read', 'members:read', 'openid', 'profile', 'email'],
    oauth: {
      install: true,
      authorize: { redirect_uris: [callback === undefined ? at('/callback') : appUrl + callback] },
    },
    webhook: { url: webhookOf(project, appUrl) },
    // A page, also where routes that are no pages have a prefix.
    post_install_action: { url: `${appUrl}/setup` },
  }
}

const webhookOf = ({ framework, found }: Project, appUrl: string) =>
  appUrl + (found.webhook ?? `${framework?.prefix ?? ''}/webhook`)

/** Returns true for a project that gets a test and scripts of Node. */
export const writesTest = ({ manifest, language }: Project): boolean => manifest !== undefined && !language

export const writesTypescript = ({ typescript, script }: Project, { runner: name }: Choices): boolean => {
  const { compiles, onlyCommonJs, isIn }: Runner = runners[name]
  return compiles ? typescript : !onlyCommonJs && isIn.test(script) && TYPESCRIPT_GLOB.test(script)
}

/** A test script that is one command, and its glob of TypeScript files. */
export const TYPESCRIPT_GLOB = /^([\w-]+(?: [^\s&|;*]+)*) \S*\*\S*\.ts['"]?(?= |$)/

/** Returns the text of the files that configure the chosen runner, without comments at the end of lines. */
export function configurationOf(choices: Choices): string {
  const { configuration }: Runner = runners[choices.runner]
  const files = readdirSync('.').filter((name) => configuration?.test(name))
  return files.map((name) => readFileSync(name, 'utf8').replace(/(?:^|\s)\/\/.*/gm, '')).join('\n')
}

/** Matches a configuration by which Jest or Vitest runs tests in jsdom or happy-dom. */
const IN_PAGE = /environment['"]?\s*:\s*['"`][^'"`\n]*(?:js|happy-)dom\b/i

export function testFile(project: Project, choices: Choices) {
  const { modules, start } = project
  const runner: Runner = runners[choices.runner]
  const { folders, configured } = runner
  const configuration = configurationOf(choices)
  const usual = folders.find((each) => existsSync(each)) ?? folders[0]
  const tests = configured?.exec(configuration)?.[1] ?? usual
  const typescript = writesTypescript(project, choices)
  // Without it the test would run in a page, where requests to other origins are restricted or there is no `fetch`.
  const environment = IN_PAGE.test(configuration) ? `/** @${choices.runner}-environment node */\n` : ''
  const types = typescript ? '/// <reference types="node" />\n' : ''
  const webhook = new URL(webhookOf(project, choices.appUrl)).pathname
  const text = testText(runner, { modules, typescript, app: choices.app, webhook, start })
  return { path: `${tests}/mockademy.test.${extension(runner, typescript, modules)}`, text: environment + types + text }
}

const extension = ({ onlyCommonJs }: Runner, typescript: boolean, modules: Modules) =>
  typescript ? 'ts' : onlyCommonJs && modules === 'esm' ? 'cjs' : 'js'
