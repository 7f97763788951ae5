import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { shellQuoted } from '../../../emulator/world/shell-quoted.js'
import type { AuditFileInput } from '../../audit/app/file.js'
import type { AuditOptions } from '../../audit/audit.js'
import { placesIn } from '../../audit/places.js'
import type { Again } from '../../audit/present-report.js'
import type { Arguments } from '../command/command.js'
import { reachOf } from './address.js'
import { WITHIN_RUN } from './ci.js'
import { configFrom } from './emulator-options.js'

export const DEFAULT_FILE = 'mockademy.audit.json'

/** Returns the file that is named, else `audit` of `mockademy.json`, else the usual file. audit: "Running it" */
export async function auditFileOf(args: Arguments): Promise<Pick<AuditOptions, 'file' | 'folder'>> {
  if (args.file !== undefined) return { file: String(args.file) }
  const { file = '', audit } = await configFrom(args)
  return audit === undefined ? { file: DEFAULT_FILE } : { file: audit as AuditFileInput, folder: dirname(file) }
}

/** Returns the commands that run an audit or a sweep again, and that look at what it did. */
export async function againOf(name: 'audit' | 'sweep', args: Arguments, url: string): Promise<Again> {
  const { [WITHIN_RUN]: within, MOCKADEMY_URL: urlOfRun } = process.env
  const isEnding = within !== undefined && url === urlOfRun
  const reach = isEnding ? '' : await reachOf(url)
  const flags = ['config', 'liberties'].flatMap((flag) =>
    args[flag] === undefined ? [] : [`--${flag} ${shellQuoted(String(args[flag]))}`],
  )
  const file = args.file === undefined ? [] : [shellQuoted(String(args.file))]
  return { run: ['mockademy', name, ...file, ...flags].join(' ') + reach, reach, isEnding }
}

/** Returns the places of checks or cases in the file that a run was made by. @param needed with the keys that they need. */
export async function placesOf(args: Arguments, needed: Parameters<typeof placesIn>[1]) {
  const { file: config, audit } = await configFrom(args)
  const isInConfig = args.file === undefined && config !== undefined && audit !== undefined
  const file = isInConfig ? config : String(args.file ?? DEFAULT_FILE)
  const text = await readFile(file, 'utf8')
  const within = isInConfig ? ['audit'] : []
  return placesIn({ file, text, within }, needed, process.env.GITHUB_WORKSPACE ?? process.cwd())
}
