import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { schemaPath } from '../parts/schema-paths.js'
import type { Project } from './project.js'
import { type Modules, type Runner, type RunnerName, runners } from './runners.js'

/** Choices of a person, on the terminal or by flags. */
export interface Choices {
  /** The app's manifest id. */
  app: string
  /** The app's address, without a trailing slash. */
  appUrl: string
  runner: RunnerName
}

export interface NewFile {
  path: string
  text: string
}

const WORLD = 'mockademy/world.json'
/** The app and its secrets. */
export const APP = 'mockademy/app.json'
/** The world to begin with. */
export const FIXTURES = [WORLD, APP]
export const SCENARIO = 'mockademy/scenarios/install.json'

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`

/** Returns every file that `mockademy init` writes unless it exists. */
export function newFiles(project: Project, choices: Choices): NewFile[] {
  const { app } = choices
  return [
    { path: 'mockademy.json', text: json({ settings: { port: 4600 }, fixtures: FIXTURES }) },
    { path: WORLD, text: json(world) },
    { path: APP, text: json(appDocument(project, choices)) },
    { path: SCENARIO, text: json(scenario(app)) },
    { path: 'mockademy.audit.json', text: auditFile(project, choices) },
    ...(writesTest(project) ? [testFile(project, choices)] : []),
  ]
}

/** A small world to begin with. */
const world = {
  $schema: schemaPath('schema.json', '../'),
  users: [
    { id: 'ada', email: 'ada@acme.test', first_name: 'Ada', last_name: 'Owner', email_verified: true },
    { id: 'lin', email: 'lin@acme.test', first_name: 'Lin', last_name: 'Learner', email_verified: true },
  ],
  organizations: [
    {
      slug: 'acme',
      name: 'Acme Academy',
      api_key: 'key_acme',
      members: [
        { user: 'ada', role: 'owner' },
        { user: 'lin', role: 'learner' },
      ],
      courses: [
        {
          id: 'writing',
          name: 'Writing That Works',
          members: ['lin'],
          modules: [
            {
              id: 'week-1',
              name: 'Week 1',
              elements: [
                { id: 'welcome', type: 'CONTENT', name: 'Welcome', content: '# Welcome' },
                {
                  id: 'essay',
                  type: 'SUBMISSION',
                  name: 'Essay',
                  properties: { questions: [{ id: 'why', text: 'Why does clear writing matter?' }] },
                  activities: [{ member: 'lin', responses: [{ question: 'why', value: 'Everyone understands it.' }] }],
                },
              ],
            },
          ],
        },
      ],
    },
  ],
}

/** The app: its manifest, and secrets that only the emulator knows. */
function appDocument(project: Project, choices: Choices) {
  const { app } = choices
  const secret = app.replaceAll('-', '_')
  const { manifest } = project.appManifest ?? {}
  return {
    $schema: schemaPath('schema.json', '../'),
    apps: [
      {
        client_id: `app_${secret}`,
        client_secret: `${secret}_secret`,
        signing_secret: `${secret}_signing`,
        manifest: manifest ? { ...manifest, id: app } : newManifest(project, choices),
      },
    ],
  }
}

function newManifest(project: Project, { app, appUrl }: Choices) {
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
    post_install_action: { url: at('/setup') },
  }
}

/** Returns the address of the app's webhook: that of its route, or a usual one. */
const webhookOf = ({ framework, found }: Project, appUrl: string) =>
  appUrl + (found.webhook ?? `${framework?.prefix ?? ''}/webhook`)

/** Every key of the audit file, those commented out whose addresses only the developer knows. audit: "Running it" */
function auditFile({ framework }: Project, { app, appUrl }: Choices): string {
  const at = (path: string) => JSON.stringify(`${appUrl}${framework?.prefix ?? ''}${path}`)
  return `{
  "$schema": ${JSON.stringify(schemaPath('audit.schema.json'))},
  "app": ${JSON.stringify(app)}, // webhook, callback and scopes come from its manifest
  // Checks that need a key that is left out are skipped; \`mockademy audit --list\` names them.
  // "start": ${at('/login')}, // GET begins the sign-in
  // "whoami": { // shows whose session the cookie is
  //   "url": ${at('/me')},
  //   "signed_in": { "status": 200, "user": "/sub" }, // a JSON pointer to the id of the account
  //   "signed_out": { "status": [401, 302] }
  // },
  // "probe": { // GET makes the app call /v0 for that organization
  //   "url": ${at('/organizations/{organization}/courses')},
  //   "ok": { "status": 200 },
  //   "not_installed": { "status": [404, 409] },
  //   "headers": {},
  //   "as": "signed_in" // with the cookies of a sign-in as that organization's owner; otherwise without
  // },
  // "list": { // GET lists every record of that organization
  //   "url": ${at('/organizations/{organization}/elements')},
  //   "count": "/length", // a JSON pointer to a number or an array
  //   "of": "elements" // or courses, members
  // },
  // "logout": { "url": ${at('/logout')}, "method": "POST" },
  // "data": ["var/app.sqlite"], // searched for tokens in clear text
  // "restart": "docker compose restart app", // run in a shell
  // "logs": ["app.log"], // searched for the secrets of the run
  // "background": "2s", // how long work may go on after an acknowledgement
  // "accept": { "signin.pkce": "confidential client; planned for 2.0" } // known failures, each with its reason
}
`
}

/** control-api: "Scenarios" */
const scenario = (app: string) => ({
  $schema: schemaPath('scenario.schema.json', '../../'),
  title: 'An installed app reads elements until its access token expires',
  steps: [
    { install: { app, organization: 'acme', announce: false }, expect: { status: 201 } },
    {
      request: {
        method: 'GET',
        path: '/v0/elements/welcome',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the scenario's own reference to an earlier step
        headers: { authorization: 'Bearer ${install.credentials.access_token}' },
      },
      expect: { status: 200, body: { payload: { name: 'Welcome' } } },
    },
    { expire: { app } },
    {
      request: {
        method: 'GET',
        path: '/v0/elements/welcome',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the scenario's own reference to an earlier step
        headers: { authorization: 'Bearer ${install.credentials.access_token}' },
      },
      expect: { status: 401 },
    },
  ],
})

/** True for a project that gets a test and scripts of Node. */
export const writesTest = ({ manifest, language }: Project): boolean => manifest !== undefined && !language

/** True when the test is a TypeScript file. */
export const writesTypescript = ({ typescript }: Project, { runner }: Choices): boolean =>
  typescript && (runners[runner] as Runner).compiles === true

function testFile(project: Project, choices: Choices): NewFile {
  const { folder, modules, start } = project
  const runner: Runner = runners[choices.runner]
  const tests = testFolder(folder, runner)
  const typescript = writesTypescript(project, choices)
  const types = typescript ? '/// <reference types="node" />\n' : ''
  const text =
    types +
    runner.test({
      modules,
      typescript,
      app: choices.app,
      webhook: new URL(webhookOf(project, choices.appUrl)).pathname,
      start,
    })
  return { path: `${tests}/mockademy.test.${extension(runner, typescript, modules)}`, text }
}

/** Returns the folder of tests that the runner's configuration names, else a usual one that is there. */
function testFolder(folder: string, { folders, configured }: Runner): string {
  const file = configured && readdirSync(folder).find((name) => configured.file.test(name))
  const named = file && configured.folder.exec(readFileSync(join(folder, file), 'utf8'))?.[1]
  return named ?? folders.find((each) => existsSync(join(folder, each))) ?? folders[0]
}

const extension = ({ onlyCommonJs }: Runner, typescript: boolean, modules: Modules) =>
  typescript ? 'ts' : onlyCommonJs && modules === 'esm' ? 'cjs' : 'js'
