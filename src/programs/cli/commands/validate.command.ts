import { readFile } from 'node:fs/promises'
import { type Node, parseTree } from 'jsonc-parser'
import { readSources } from '../../../control/fixtures/fixture-sources.js'
import { asFixtureErrors, InvalidFixturesError } from '../../../control/start/invalid-fixtures-error.js'
import { launch } from '../../../control/start/launch.js'
import type { Issue } from '../../../foundation/schema/issue.js'
import { lineAt, nodeNear } from '../../../foundation/schema/json-text.js'
import { worldManifestWarnings } from '../../../platform/apps/manifest.js'
import { pluralize } from '../../reports/pluralize.js'
import { visible } from '../../reports/visible.js'
import type { Command } from '../command/command.js'
import { printFailure } from '../command/command-failure.js'
import { settingsFromVariables } from '../flags/setting-flags.js'

/** `mockademy validate FILE…`: several files are checked as they would be loaded, together. fixtures: "Checked whole" */
export const validateCommand: Command = {
  flags: {},
  operands: { file: { type: 'string', array: true, describe: 'Fixture files' } },
  example: 'mockademy/world.json',

  async run(args) {
    const files = args.file as string[]
    const { issues, warnings } = await check(files)
    for (const file of files) {
      const own = issues.filter(({ path }) => path === file || path.startsWith(`${file}: `))
      const result = own.length === 0 ? 'valid' : pluralize(own.length, 'issue')
      process.stdout.write(`${visible(`${file}: ${result}`)}\n`)
    }
    for (const warning of warnings) process.stdout.write(`${visible(`warning: ${warning}`)}\n`)
    if (issues.length === 0) return 0
    const found = await Promise.all(issues.map((issue) => withLine(issue, files)))
    return printFailure(new InvalidFixturesError('The fixtures are not valid', found))
  },
}

async function withLine({ path, message }: Issue, files: string[]): Promise<Issue> {
  const file = files.find((each) => path.startsWith(`${each}: `))
  if (file === undefined) return { path, message }
  const field = path.slice(file.length + 2)
  const text = await readFile(file, 'utf8')
  const parts = field.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
  const { offset } = nodeNear(parseTree(text) as Node, parts)
  return { path: `${file}:${lineAt(text, offset)}: ${field}`, message }
}

/** Returns the issues and warnings of the files; those that can be read are checked even if others cannot. */
async function check(files: string[]): Promise<{ issues: Issue[]; warnings: string[] }> {
  const read = await Promise.all(files.map(async (file) => ({ file, issues: await issuesOf(() => readSources(file)) })))
  const unread = read.flatMap(({ issues }) => issues)
  const readable = read.filter(({ issues }) => issues.length === 0).map(({ file }) => file)
  const warnings: string[] = []
  if (readable.length === 0) return { issues: unread, warnings }
  // Loading them checks them; nothing is kept or called.
  const loading = async () => {
    const given = { ...(await settingsFromVariables(process.env)), port: 0, store: 'memory', https: false }
    const emulator = await launch({ explicitSettings: given, fixtures: readable, sendsWebhooks: false })
    warnings.push(...worldManifestWarnings(emulator.world))
    await emulator.close()
  }
  return { issues: [...unread, ...(await issuesOf(loading))], warnings }
}

async function issuesOf(work: () => Promise<unknown>): Promise<Issue[]> {
  try {
    await asFixtureErrors(work)
    return []
  } catch (error) {
    if (error instanceof InvalidFixturesError) return error.issues
    throw error
  }
}
