import { readFile } from 'node:fs/promises'
import type { ParseError } from 'jsonc-parser'
import { shellQuoted } from '../../../emulator/world/shell-quoted.js'
import { isObject } from '../../../foundation/schema/is-object.js'
import type { CompareOptions, Comparison } from '../../real-platform/compare.js'
import type { Difference } from '../../real-platform/difference.js'
import { markdownPage, type Page, type Section } from '../../reports/markdown.js'
import { pluralize } from '../../reports/pluralize.js'
import { type Command, flag, printResult, textFrom, wrongUse } from '../command/command.js'
import { mustBeSeparate, writeText } from '../files/output-file.js'
import {
  addressFrom,
  credentialFrom,
  platformFlags,
  platformFrom,
  printWait,
  runAgainstPlatform,
} from '../flags/platform-flags.js'
import { showProgress } from '../terminal/progress-line.js'
import { table } from '../terminal/table.js'

/** `mockademy compare`: where the platform differs from what the emulator says of it. real-platform: "mockademy compare" */
export const compareCommand: Command = {
  flags: {
    ...platformFlags,
    token: flag.text('Access token of an installation: compares missing scopes'),
    issuer: flag.text('Origin of the web application: compares discovery and keys'),
    json: flag.switch('Print the comparison as JSON'),
    markdown: flag.path('Write the comparison to a Markdown file'),
    'write-settings': flag.path('Write the settings that adapt the emulator into a fixture document'),
  },

  async run(args) {
    const platform = await platformFrom(args)
    const token = credentialFrom(args, 'token')
    const issuer = addressFrom(args, 'issuer')
    if (issuer && issuer !== new URL(issuer).origin) throw wrongUse('--issuer must be an origin, without a path')
    const [markdown, settingsFile] = [textFrom(args, 'markdown'), textFrom(args, 'write-settings')]
    const document = settingsFile === undefined ? '' : await readDocument(settingsFile)
    await mustBeSeparate(args, ['markdown', 'write-settings'])
    const { compare } = await import('../../real-platform/compare.js')
    const comparison = await runAgainstPlatform((signal) => compare({ ...platform, token, issuer, signal, onProgress }))

    await writeText(markdown, () => markdownPage(comparisonPage(comparison, platform.base)))
    if (settingsFile !== undefined) await writeSettings(settingsFile, document, comparison.settings)
    printResult(args, { from: platform.base, ...comparison }, `${linesOf(comparison).join('\n')}\n`)
    return comparison.differences.length === 0 ? 0 : 1
  },
}

function linesOf({ checks, differences, requests }: Comparison): string[] {
  const rows = differences.map(rowOf)
  const unseen = checks.filter(({ result }) => result === 'not seen').map(({ name }) => name)
  const judged = `${checks.length - unseen.length} of ${checks.length} checks, ${requests} requests`
  return [
    ...(differences.length === 0 ? [`No differences (${judged}).`] : [...table([columns, ...rows]), '', `${judged}.`]),
    ...(unseen.length > 0 ? [`Not compared, because the organization has no data for it: ${unseen.join(', ')}.`] : []),
  ]
}

/** Returns the flag that a setting is given by. wire: §8 */
function flagOf({ name, value }: NonNullable<Difference['setting']>): string {
  const pairs = (map: object) => Object.entries(map).map((pair) => pair.join('='))
  const text = typeof value === 'object' ? pairs(value).join(',') : String(value)
  return `--${name.replaceAll('_', '-')} ${shellQuoted(text)}`
}

const columns = ['decision', 'where', 'documented', 'found', 'adapted by']

const rowOf = ({ section, where, field, documented, found, count, setting }: Difference): string[] => {
  const times = count > 1 ? ` (${count} times)` : ''
  return [section, `${where} ${field}`.trim(), documented, `${found}${times}`, setting ? flagOf(setting) : '']
}

/** Returns the comparison as a page: the differences, what adapts Mockademy, and every check. */
export function comparisonPage({ checks, differences, settings, requests }: Comparison, base: string): Page {
  const flags = Object.entries(settings).map(([name, value]) => flagOf({ name, value }))
  const count = differences.length === 0 ? 'No differences' : pluralize(differences.length, 'difference')
  const found: Section = { title: 'Differences', table: { heads: columns, rows: differences.map(rowOf) } }
  const command = { language: 'sh', text: `mockademy start ${flags.join(' ')}` }
  const rows = checks.map(({ name, section, result }) => [name, section, result])
  return {
    title: `${base} compared with Mockademy`,
    summary: `${count} (${requests} requests).`,
    sections: [
      ...(differences.length > 0 ? [found] : []),
      ...(flags.length > 0 ? [{ title: 'Settings that adapt Mockademy', code: command }] : []),
      { title: 'Checks', table: { heads: ['check', 'decision', 'result'], rows } },
    ],
  }
}

/** Reads a fixture document; an empty one where there is none. @throws CommandFailure 2 when it is not valid JSON with comments. */
async function readDocument(file: string): Promise<string> {
  const { parse } = await import('jsonc-parser')
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}\n'
    throw wrongUse(`${file} cannot be read (${error.code})`)
  })
  const errors: ParseError[] = []
  const value = parse(text, errors, { allowTrailingComma: true })
  if (errors.length > 0) throw wrongUse(`${file} is not valid JSON`)
  if (!isObject(value)) throw wrongUse(`${file} does not contain a JSON object`)
  if (!isObject(value.settings ?? {})) throw wrongUse(`${file}: settings must be an object`)
  return text
}

/** Writes settings into a fixture document and keeps the rest, comments included. @throws CommandFailure 2 */
async function writeSettings(file: string, text: string, settings: Comparison['settings']): Promise<void> {
  const { applyEdits, modify } = await import('jsonc-parser')
  const format = { formattingOptions: { insertSpaces: true, tabSize: 2 } }
  const written = Object.entries(settings).reduce(
    (document, [name, value]) => applyEdits(document, modify(document, ['settings', name], value, format)),
    text,
  )
  await writeText(file, () => written)
}

const onProgress: CompareOptions['onProgress'] = (progress) => {
  if ('asking' in progress) showProgress(`${progress.requests} requests: ${progress.asking}`)
  else printWait(progress)
}
