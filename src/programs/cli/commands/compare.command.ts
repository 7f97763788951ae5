import { readFile } from 'node:fs/promises'
import type { ParseError } from 'jsonc-parser'
import { isObject } from '../../../foundation/schema/is-object.js'
import type { CompareOptions, Comparison } from '../../real-platform/compare.js'
import { markdownPage } from '../../reports/markdown.js'
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
    const { columns, comparisonPage, rowOf } = await import('../../real-platform/comparison-report.js')
    const comparison = await runAgainstPlatform((signal) => compare({ ...platform, token, issuer, signal, onProgress }))

    await writeText(markdown, () => markdownPage(comparisonPage(comparison, platform.base)))
    if (settingsFile !== undefined) await writeSettings(settingsFile, document, comparison.settings)
    const lines = linesOf(comparison, columns, comparison.differences.map(rowOf))
    printResult(args, { from: platform.base, ...comparison }, `${lines.join('\n')}\n`)
    return comparison.differences.length === 0 ? 0 : 1
  },
}

function linesOf({ checks, differences, requests }: Comparison, head: string[], rows: string[][]): string[] {
  const unseen = checks.filter(({ result }) => result === 'not seen').map(({ name }) => name)
  const judged = `${checks.length - unseen.length} of ${checks.length} checks, ${requests} requests`
  return [
    ...(differences.length === 0 ? [`No differences (${judged}).`] : [...table([head, ...rows]), '', `${judged}.`]),
    ...(unseen.length > 0 ? [`Not compared, because the organization has no data for it: ${unseen.join(', ')}.`] : []),
  ]
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
