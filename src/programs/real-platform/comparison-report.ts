import { shellQuoted } from '../../emulator/world/shell-quoted.js'
import type { Page, Section } from '../reports/markdown.js'
import { pluralize } from '../reports/pluralize.js'
import type { Comparison } from './compare.js'
import type { Difference } from './difference.js'

/** Returns the flag that a setting is given by. wire: §8 */
function flagOf({ name, value }: NonNullable<Difference['setting']>): string {
  const pairs = (map: object) => Object.entries(map).map((pair) => pair.join('='))
  const text = typeof value === 'object' ? pairs(value).join(',') : String(value)
  return `--${name.replaceAll('_', '-')} ${shellQuoted(text)}`
}

export const columns = ['decision', 'where', 'documented', 'found', 'adapted by']

export const rowOf = ({ section, where, field, documented, found, count, setting }: Difference): string[] => {
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
