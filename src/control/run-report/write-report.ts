import { hash } from 'node:crypto'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { checkOptions, InvalidOptionsError } from '../../foundation/schema/options.js'
import { replaceFile } from '../../foundation/store/replaceable-file.js'
import { collect } from './collect.js'
import { reportPage } from './page.js'
import type { ReadCall, RecordedRun, ReportOptions } from './run-report.js'

const MAX_NAME = 80

/**
 * Writes the report of a run: one HTML file, at most 5 MB, which loads nothing and sends nothing. coverage: "The run report"
 * @param file its path, or that of a folder (one that exists, or ends with a slash), in which the file is named after the title.
 * @param recorded the parts of the run that the emulator itself may have no longer.
 * @returns the path of the file.
 * @throws InvalidOptionsError for a `file` that is no path, and options that do not exist or have invalid values.
 */
export async function writeRunReport(
  read: ReadCall,
  file: string,
  options: ReportOptions = {},
  recorded?: RecordedRun,
) {
  checkOptions(options, { title: 'string', command: 'string', result: 'string', organization: 'string' })
  if (typeof file !== 'string' || file === '') {
    throw new InvalidOptionsError([
      { path: 'file', message: 'must be the path of a file, or of a folder with a slash at its end' },
    ])
  }
  const isFolder = /[/\\]$/.test(file) || (await stat(file).catch(() => undefined))?.isDirectory()
  const path = isFolder ? resolve(file, nameOf(options.title ?? 'report')) : resolve(file)
  const page = reportPage(await collect(read, options.organization, recorded), options)
  await mkdir(dirname(path), { recursive: true })
  await replaceFile(path, (draft) => writeFile(draft, page))
  return path
}

/** `lists-the-courses-1a2b3c4d.html` of "lists the courses", another one for every other title. */
function nameOf(title: string): string {
  const words = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `${words.slice(0, MAX_NAME)}-${hash('sha256', title).slice(0, 8)}.html`
}
