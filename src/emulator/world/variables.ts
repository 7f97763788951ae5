import { didYouMean } from '../../foundation/schema/did-you-mean.js'
import { settingNames } from './setting-table.js'

const PREFIX = 'MOCKADEMY_'

/** Variables that are no settings, without the prefix. */
const others = ['URL', 'FIXTURES', 'REPORT', 'WITHIN_RUN']

/** Returns a warning that names the variables that look like settings and are none; undefined when there are none. wire: §8 */
export function warningOfVariables(environment: Record<string, string | undefined>): string | undefined {
  const known = [...settingNames.map((name) => name.toUpperCase()), ...others]
  const unknown = Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && environment[name] && !known.includes(name.slice(PREFIX.length)))
    .map((name) => {
      const hint = didYouMean(name.slice(PREFIX.length), known)
      return hint.startsWith('; did') ? `${name} (${hint.slice(2).replace('"', `"${PREFIX}`)})` : name
    })
  if (unknown.length === 0) return undefined
  return `unknown environment variables: ${unknown.join(', ')}`
}
