import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { shellQuoted } from '../../../emulator/world/shell-quoted.js'
import { packageFolder, version } from '../../../emulator/world/version.js'
import { didYouMean } from '../../../foundation/schema/did-you-mean.js'
import { isInside } from '../../../foundation/store/store-folder.js'
import { type Arguments, type Command, flag, say, wrongUse } from '../command/command.js'
import { writeText } from '../files/output-file.js'
import { DEFAULT_STORE } from '../flags/emulator-options.js'
import { pointAgents } from '../init/agents-file.js'
import { editPackage, NO_TESTS } from '../init/edit-package.js'
import { APP } from '../init/fixtures.js'
import {
  type Choices,
  configurationOf,
  newFiles,
  SCENARIO,
  TYPESCRIPT_GLOB,
  testFile,
  writesTest,
  writesTypescript,
} from '../init/new-files.js'
import { inspectProject, type Project } from '../init/project.js'
import { appIdIssue, appUrlIssue, ask } from '../init/questions.js'
import { type Runner, runnerNames, runners } from '../init/runners.js'
import { INTERRUPTED } from '../processes/stop-signal.js'
import { isInteractive } from '../terminal/interactive.js'
import { table } from '../terminal/table.js'

/** `mockademy init`: writes the files that a project needs and does not have. control-api: "CLI" */
export const initCommand: Command = {
  flags: {
    yes: flag.switch('Accept the defaults without asking', { alias: 'y' }),
    app: flag.text("The app's id", { defaultDescription: "the package's name" }),
    'app-url': flag.text("The app's address", { defaultDescription: 'that of its framework' }),
    runner: flag.text(`Test runner: ${runnerNames.join(', ')}`, { defaultDescription: 'the one found' }),
    agents: flag.switch('Point coding agents to the skill, in AGENTS.md'),
  },
  example: '--yes',

  async run(args) {
    const given = givenIn(args)
    const project = await inspectProject(given.runner !== undefined, given.app)
    const proposed: Choices = { app: project.id, appUrl: project.appUrl, runner: project.runner, ...given }
    const choices = args.yes || !isInteractive() ? proposed : await ask(project, proposed, given)
    if (choices === undefined) {
      say('nothing was written')
      return INTERRUPTED
    }
    const rows = await write(project, { ...choices, appUrl: choices.appUrl.replace(/\/+$/, '') })
    const pointer = await pointAgents(project, args.agents === true)
    const files = table([...rows, ...pointer])
    const isOutdated =
      existsSync(DEFAULT_STORE) &&
      rows.some(([done, path = '']) => done === 'written' && /^mockademy(\/\w+)?\.json/.test(path))
    const lines = [foundLine(project), '', ...files, '', ...nextSteps(project, choices, isOutdated)]
    process.stdout.write(`${lines.join('\n')}\n`)
    return 0
  },
}

/** Returns the choices that flags make. @throws CommandFailure 2 */
function givenIn(args: Arguments): Partial<Choices> {
  const read = (flag: string, name: keyof Choices, issueWith: (text: string) => string | undefined) => {
    if (args[flag] === undefined) return undefined
    const text = String(args[flag])
    const issue = issueWith(text)
    if (issue) throw wrongUse(`--${flag} ${JSON.stringify(text)}: ${issue}`)
    return { [name]: text } as Partial<Choices>
  }
  return {
    ...read('app', 'app', appIdIssue),
    ...read('app-url', 'appUrl', appUrlIssue),
    ...read('runner', 'runner', (name) =>
      Object.hasOwn(runners, name) ? undefined : `is no runner that init knows${didYouMean(name, runnerNames)}`,
    ),
  }
}

/** Writes the files that do not exist. @returns a row for each file. */
async function write(project: Project, choices: Choices): Promise<string[][]> {
  const ids = project.apps.map(({ id }) => id).join(', ')
  const taken = ['for', `app ${choices.app} (mockademy.json has ${ids}; --app names another than the first)`]
  const rows = ids === '' || ids === choices.app ? [] : [taken]
  // package.json first: if it is read-only, nothing has been written yet.
  const changes = project.manifest && writesTest(project) ? await changePackage(project, project.manifest, choices) : []
  for (const { path, text } of newFiles(project, choices)) {
    const isNew = !existsSync(path)
    if (isNew) await writeText(path, () => text)
    const moved =
      path === APP && project.appManifest
        ? ` (copied from ${project.appManifest.file}; edit this copy from now on)`
        : ''
    rows.push(isNew ? ['written', `${path}${moved}`] : ['kept', `${path} (it exists)`])
  }
  return [...rows, ...changes]
}

async function changePackage(project: Project, { text, json }: NonNullable<Project['manifest']>, choices: Choices) {
  const { runner } = choices
  const scripts = {
    test: runners[runner].script,
    'mockademy:start': 'mockademy start',
    'mockademy:scenarios': `mockademy scenario run ${project.fixtures.map((file) => `--fixtures ${shellQuoted(file)} `).join('')}${SCENARIO}`,
    'mockademy:audit': 'mockademy audit',
  }
  // A test script that runs the runner is the project's own.
  const { test: _, ...others } = scripts
  const own = runners[runner].isIn.test(String(json.scripts?.test ?? '')) ? others : scripts
  const types = writesTypescript(project, choices) && { '@types/node': '>=20' }
  const edited = editPackage(text, json, own, { mockademy: `^${version}`, ...types })
  const { added, kept } = edited
  if (edited.text !== text) await writeText('package.json', () => edited.text)
  return [
    ...(added.length > 0 ? [['changed', `package.json: ${added.join(', ')}`]] : []),
    ...kept.map((name) => ['kept', `package.json: ${name} (already defined)`]),
  ]
}

function foundLine(project: Project): string {
  const { manifest, framework, language, appManifest, runner, hasRunner } = project
  const { webhook, callback } = project.found
  if (!manifest && !language) return 'There is no package.json here, so no test and no scripts are written.'
  const found = [
    language?.name ?? 'package.json',
    framework?.dependency,
    hasRunner ? runner : undefined,
    appManifest?.file,
    webhook && `a webhook at ${webhook}`,
    callback && `a callback at ${callback}`,
  ].filter((each) => each)
  return `Found: ${found.join(', ')}`
}

/** @param isOutdated the store has a world of other fixtures. */
function nextSteps(project: Project, choices: Choices, isOutdated: boolean): string[] {
  const { packageManager, has, executor } = project
  const { dependency }: Runner = runners[choices.runner]
  const add = packageManager === 'npm' ? 'npm install --save-dev' : `${packageManager} add --dev`
  const dev = [
    `${executor} mockademy dev ${isOutdated ? '--fresh ' : ''}-- ${startOf(project, choices)}`,
    `starts the emulator and your app, and installs it${isOutdated ? `; --fresh once: ${DEFAULT_STORE} has the world from before` : ''}`,
  ]
  const limits = [...new Set(configurationOf(choices).match(LIMITS))].join(' and ')
  const commands = writesTest(project)
    ? [
        dependency === undefined || has(dependency)
          ? [`${packageManager} install`, '']
          : [`${add} ${dependency}`, `the test is for ${choices.runner}, which is not a dependency yet`],
        [testCommand(project, choices), `runs the new test${limits && `; make sure that it is covered by ${limits}`}`],
        dev,
      ]
    : [
        dev,
        [`${executor} mockademy audit`, 'tests your app, while that runs'],
        [
          `${executor} mockademy exec --strict -- ${project.language?.test() ?? 'COMMAND'}`,
          'runs your tests against an emulator of their own',
        ],
      ]
  const check = [
    `check ${project.apps[0] ? project.appManifest?.file : APP}`,
    'webhook.url, redirect_uris and post_install_action.url must be addresses of your app, with the prefixes of its routers',
  ]
  const note = project.language
    ? ['', `No test was written: ${pageOfSuites()} has suites in ${project.language.name} to copy.`]
    : []
  const { step } = project
  const first = step ? [`  ${step}: without it there is no app for these commands`] : []
  return ['Next:', ...first, ...table([check, ...commands]).map((line) => `  ${line}`), ...note]
}

/** Options with which runners leave a test out even if the command names it: of Vitest, one for other names of files. */
const LIMITS = /\b(?:(?:rootDir|testMatch|testRegex)(?=['"]?\s*:)|include(?=['"]?\s*:\s*\[[^\]]*\.spec\b))/g
/** Options of runners about which tests they run. */
const SELECTION = /\b(?:include|dir|roots?|testMatch|testRegex|projects|spec)['"]?\s*:/

/** Returns the command that runs the new test: the test script, unless it may run only others. */
function testCommand(project: Project, choices: Choices): string {
  const { packageManager, script, executor } = project
  const { path } = testFile(project, choices)
  const plain = runners[choices.runner].script
  const runsAll = script === '' || NO_TESTS.test(script) || script === plain
  const configuration = configurationOf(choices)
  if (runsAll && !SELECTION.test(configuration)) {
    // `bun test` is the test runner of Bun itself.
    return packageManager === 'bun' ? 'bun run test' : `${packageManager} test`
  }
  // NestJS configures Jest for tests of its own names in src.
  const selecting = /\btestRegex\b/.test(configuration) ? '--rootDir . --testRegex ' : ''
  // The script's own command loads TypeScript.
  const [glob, command] = (path.endsWith('.ts') && TYPESCRIPT_GLOB.exec(script)) || []
  const direct = glob === undefined ? `${plain} ${selecting}${path}` : script.replace(glob, `${command} ${path}`)
  return direct.startsWith('node ') ? direct : `${executor} ${direct}`
}

/** Returns the path of the page of suites: from the working folder where the package is in it, as it is not with npx alone. */
function pageOfSuites(): string {
  const page = join(packageFolder, 'docs/languages.md')
  return isInside(process.cwd(), page) ? relative('', page) : page
}

/** Returns the command that starts the app, as far as it was found, at the port to which webhooks will be sent. */
function startOf(project: Project, { appUrl }: Choices): string {
  const { devScript, packageManager, start, language, found } = project
  if (devScript) return `${packageManager} run ${devScript}`
  if (start) return ['node', ...start.command].join(' ')
  if (!language || !found.entry) return 'COMMAND'
  const { path, text } = found.entry
  const quoted = path.replace(/[^\p{L}\w./-]/gu, String.raw`\$&`)
  return language.start(quoted, Number(new URL(appUrl).port) || language.port, text)
}
