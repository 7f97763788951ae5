import { Refusal } from '../../../foundation/http/refusal.js'

/** The refusal of a name that does not exist, saying which exist. control-api: preamble */
export function noSuch(what: string, name: string, existing: Iterable<string>): Refusal {
  const names = [...existing]
  const shown = names.length > 20 ? `${names.slice(0, 20).join(', ')} and ${names.length - 20} more` : names.join(', ')
  return new Refusal('not_found', { message: `There is no ${what} "${name}"; there are: ${shown || 'none'}` })
}
