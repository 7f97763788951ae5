import type { Check } from '../check.js'

/** The catalogue as `--list` prints it. audit: "Catalogue" */
export function listingOf(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ id }) => id.length))
  const lines = checks.map(
    ({ id, severity, title, needs }) =>
      `${id.padEnd(width)}  ${severity.padEnd(8)}  ${title}  [needs ${needs.join(', ') || 'nothing'}]`,
  )
  return `${lines.join('\n')}\n`
}
