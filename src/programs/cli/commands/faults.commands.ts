import { AdminError } from '../../../control/client/errors.js'
import type { CommandGroup } from '../command/command.js'
import { parseJson } from '../files/json-file.js'
import { commandOf, flagsOfCall, inputOf, subcontrol } from './control-command.js'

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
      flags: flagsOfCall('addFault'),
      example: "rate_limited --surface api --path '/v0/courses' --times 1",
      calls: ['addFault'],
      request(call, { effect, ...args }) {
        const text = String(effect)
        const body = {
          ...inputOf('addFault', args).body,
          effect: text.startsWith('{') ? parseJson(text, 'the effect') : text,
        }
        return call('addFault', { body }).catch(namingFlags)
      },
      shows: ['id'],
    }),
    commandOf('listFaults'),
    subcontrol('clear [id]', 'Delete one fault or every fault', {
      operands: { id: { type: 'string', describe: 'Id of a fault' } },
      calls: ['clearFaults', 'deleteFault'],
      request: (call, { id }) => (id === undefined ? call('clearFaults') : call('deleteFault', { params: { id } })),
      print(result) {
        const deleted = [result].flat()
        return deleted.length > 0 ? `deleted: ${deleted.map(({ id }) => id).join(', ')}` : 'there were none'
      },
    }),
  ],
}
