import { markdownTable } from '../reports/markdown-table.js'
import type { Comparison } from './compare.js'
import type { Difference } from './difference.js'

/** The flag that a setting is given by. wire: §8 */
function flagOf({ name, value }: NonNullable<Difference['setting']>): string {
  const pairs = (map: object) => Object.entries(map).map((pair) => pair.join('='))
  const text = typeof value === 'object' ? pairs(value).join(',') : String(value)
  return `--${name.replaceAll('_', '-')} ${/\s/.test(text) ? `'${text}'` : text}`
}

/** Columns of the report, and the row of a difference. */
export const columns = ['decision', 'where', 'documented', 'found', 'adapted by'] as const

export const rowOf = ({ section, where, field, documented, found, count, setting }: Difference): string[] => [
  section,
  `${where}${field ? ` ${field}` : ''}`,
  documented,
  `${found}${count > 1 ? ` (${count} times)` : ''}`,
  setting ? flagOf(setting) : '',
]

/** The comparison as a Markdown page. */
export function comparisonMarkdown({ checks, differences, requests }: Comparison, base: string): string {
  const flags = [...new Set(differences.flatMap(({ setting }) => (setting ? [flagOf(setting)] : [])))]
  const count = `${differences.length || 'No'} ${differences.length === 1 ? 'difference' : 'differences'}`
  const results = checks.map(({ name, section, result }) => [name, section, result])
  return [
    `# ${base} compared with Mockademy`,
    '',
    `${count} (${requests} requests).`,
    '',
    ...(differences.length > 0 ? ['## Differences', '', ...markdownTable(columns, differences.map(rowOf)), ''] : []),
    ...(flags.length > 0
      ? ['## Settings that adapt Mockademy', '', '```sh', `mockademy start ${flags.join(' ')}`, '```', '']
      : []),
    '## Checks',
    '',
    ...markdownTable(['check', 'decision', 'result'], results),
    '',
  ].join('\n')
}
