import type { CommandGroup } from '../command.js'
import { flagsOf, inPath, pick, subcontrol, textFlag } from './control-command.js'
import { parseJson } from './json-file.js'

const match = {
  surface: textFlag('api, oauth, webhook or id_token'),
  method: textFlag('HTTP method'),
  path: textFlag('Path, with * for any part'),
  app: textFlag('Manifest id or client id'),
  organization: textFlag('Slug'),
  event: textFlag('Type of the webhook event'),
  grant_type: textFlag('Of a token request'),
}
const numbers = {
  times: { type: 'number', describe: 'How often it fires; always when left out', requiresArg: true },
  after: { type: 'number', describe: 'Let so many matches through first', requiresArg: true },
  probability: { type: 'number', describe: '0 to 1', requiresArg: true },
} as const
const rest = { phase: textFlag('before or after the work is done'), expires_in: textFlag('As "1h", on its clock') }

const shows = ['id', 'match', 'effect', 'phase', 'hits', 'times']

/** control-api: "Faults" */
export const faults: CommandGroup = {
  subcommands: [
    subcontrol('add <effect>', 'Inject a fault', {
      operands: { effect: { type: 'string', describe: 'A name such as rate_limited, or JSON such as {"status":503}' } },
      flags: flagsOf({ ...match, ...numbers, ...rest }),
      call: ({ effect, ...args }) => ({
        method: 'POST',
        path: '/_admin/faults',
        body: {
          match: pick(args, Object.keys(match)),
          effect: String(effect).startsWith('{') ? parseJson(String(effect), 'the effect') : effect,
          ...pick(args, [...Object.keys(numbers), ...Object.keys(rest)]),
        },
      }),
      shows: ['id'],
    }),
    subcontrol('list', 'List the faults with their hits', {
      call: () => ({ method: 'GET', path: '/_admin/faults' }),
      shows,
    }),
    subcontrol('clear [id]', 'Delete one fault or every fault', {
      operands: { id: { type: 'string', describe: 'Id of a fault' } },
      call: ({ id }) => ({ method: 'DELETE', path: `/_admin/faults${id === undefined ? '' : `/${inPath(id)}`}` }),
      shows,
    }),
  ],
}
