import { AdminError } from '../../../control/client/errors.js'
import type { CommandGroup } from '../command.js'
import { commandOf, flagsOf, numberFlag, pick, subcontrol, textFlag } from './control-command.js'
import { parseJson } from './json-file.js'

const match = {
  surface: textFlag('api, oauth, webhook or id_token'),
  method: textFlag('HTTP method'),
  path: textFlag('Path, with * for any text'),
  app: textFlag('Manifest id or client id'),
  organization: textFlag('Slug'),
  event: textFlag('Type of the webhook event'),
  grant_type: textFlag('Grant type of a token request'),
}
const rest = {
  times: numberFlag('times', 'How often it fires; always when left out'),
  after: numberFlag('after', 'Let so many matches through first'),
  probability: numberFlag('probability', '0 to 1'),
  phase: textFlag('before (the default) or after the work is done'),
  expires_in: textFlag('For how long, on the emulator\'s clock: "1h"'),
}

/** Rejects with the same error, in which the fields of `match` are the flags that set them. */
function namingFlags(error: unknown): never {
  if (!(error instanceof AdminError) || !error.problem.errors) throw error
  const named = (text: string) =>
    text.replace(/\bmatch\.(\w+)( to)?/g, (_, field: string) => `--${field.replaceAll('_', '-')}`)
  const errors = error.problem.errors.map(({ path, message }) => ({ path: named(path), message: named(message) }))
  throw new AdminError(error.status, { ...error.problem, errors })
}

/** control-api: "Faults" */
export const faultsCommand: CommandGroup = {
  subcommands: [
    subcontrol('add <effect>', 'Inject a fault', {
      operands: { effect: { type: 'string', describe: 'A name such as rate_limited, or JSON such as {"status":503}' } },
      flags: flagsOf({ ...match, ...rest }),
      example: "rate_limited --surface api --path '/v0/courses' --times 1",
      calls: ['addFault'],
      request: (call, { effect, ...args }) =>
        call('addFault', {
          body: {
            match: pick(args, Object.keys(match)),
            effect: String(effect).startsWith('{') ? parseJson(String(effect), 'the effect') : effect,
            ...pick(args, Object.keys(rest)),
          },
        }).catch(namingFlags),
      shows: ['id'],
    }),
    commandOf('listFaults'),
    subcontrol('clear [id]', 'Delete one fault or every fault', {
      operands: { id: { type: 'string', describe: 'Id of a fault' } },
      calls: ['clearFaults', 'deleteFault'],
      request: (call, { id }) => (id === undefined ? call('clearFaults') : call('deleteFault', { params: { id } })),
      print(result) {
        const deleted = [result].flat() as { id: string }[]
        return deleted.length > 0 ? `deleted: ${deleted.map(({ id }) => id).join(', ')}` : 'there were none'
      },
    }),
  ],
}
