import { markdownTable } from '../reports/markdown-table.js'
import type { Comparison } from './compare.js'
import type { Difference } from './difference.js'

/** The flag that a setting is given by. wire: §8 */
export function flagOf({ name, value }: NonNullable<Difference['setting']>): string {
  const text =
    typeof value === 'object'
      ? Object.entries(value)
          .map((pair) => pair.join('='))
          .join(',')
      : String(value)
  return `--${name.replaceAll('_', '-')} ${/\s/.test(text) ? `'${text}'` : text}`
}

/** What a row of the report says. */
export const columns = ['decision', 'where', 'documented', 'found', 'adapted by'] as const

export const rowOf = (difference: Difference): string[] => {
  const { section, where, field, documented, found, count, setting } = difference
  const times = count > 1 ? ` (${count} times)` : ''
  return [
    section,
    `${where}${field ? ` ${field}` : ''}`,
    documented,
    `${found}${times}`,
    setting ? flagOf(setting) : '',
  ]
}

/** The comparison as a Markdown page. */
export function comparisonMarkdown({ checks, differences, requests }: Comparison, base: string): string {
  const flags = [...new Set(differences.flatMap(({ setting }) => (setting ? [flagOf(setting)] : [])))]
  return [
    `# ${base} compared with Mockademy`,
    '',
    differences.length === 0
      ? `No differences (${requests} requests).`
      : `${differences.length} ${differences.length === 1 ? 'difference' : 'differences'} (${requests} requests).`,
    ...(differences.length > 0 ? ['', '## Differences', '', ...markdownTable(columns, differences.map(rowOf))] : []),
    ...(flags.length > 0
      ? ['', '## Settings that adapt Mockademy', '', '```sh', `mockademy start ${flags.join(' ')}`, '```']
      : []),
    '',
    '## Checks',
    '',
    ...markdownTable(
      ['check', 'decision', 'result'],
      checks.map(({ name, section, result }) => [name, section, result]),
    ),
    '',
  ].join('\n')
}
