import type { Arguments, Command, CommandGroup } from '../command.js'
import { control, inPath, pick, subcontrol, textFlag } from './control-command.js'
import { deliveryLine, fits, follow, requestLine } from './follow.js'

const id = { type: 'string', describe: 'Id of a delivery' } as const
const filters = {
  event: textFlag('Type of the event'),
  installation: textFlag('Installation id'),
  organization: textFlag('Slug'),
  state: textFlag('pending, acknowledged, retrying, failed or dropped'),
}
const asJson = (answer: unknown) => JSON.stringify(answer, null, 2)

/** A command that with `--follow` goes on until it is interrupted. */
const following = <C extends Command>(command: C, follow: (args: Arguments) => Promise<number>): C => ({
  ...command,
  run: (args) => (args.follow ? follow(args) : command.run(args)),
})

/** control-api: "Webhooks" */
export const deliveries: CommandGroup = {
  subcommands: [
    following(
      subcontrol('list', 'List the deliveries', {
        flags: {
          ...filters,
          follow: { type: 'boolean', describe: 'Print each one when it changes, until interrupted' },
        },
        call: (args) => ({ method: 'GET', path: '/_admin/deliveries', query: pick(args, Object.keys(filters)) }),
        shows: ['id', 'event.type', 'organization', 'state', 'due_at', 'url'],
      }),
      (args) =>
        follow(args, {
          type: 'delivery',
          matches: (delivery) => fits({ ...delivery, event: delivery.event.type }, pick(args, Object.keys(filters))),
          line: deliveryLine,
        }),
    ),
    subcontrol('show <id>', 'Show a delivery with every attempt', {
      operands: { id },
      call: ({ id }) => ({ method: 'GET', path: `/_admin/deliveries/${inPath(id)}` }),
      print: asJson,
    }),
    subcontrol('redeliver <id>', 'Send a delivery once more, now', {
      operands: { id },
      call: ({ id }) => ({ method: 'POST', path: `/_admin/deliveries/${inPath(id)}/redeliver` }),
      shows: ['id', 'event.type', 'state', 'url'],
    }),
  ],
}

const requestFilters = {
  surface: textFlag('api, oauth, web, admin, inbox or webhook'),
  method: textFlag('HTTP method'),
  path: textFlag('Path, with * for any part'),
  status: textFlag('HTTP status'),
  app: textFlag('Manifest id'),
  organization: textFlag('Slug'),
  since: textFlag('ISO 8601 date-time'),
  limit: textFlag('At most so many, the newest'),
}

/** control-api: "Journal" */
export const requests = following(
  control({
    flags: {
      ...requestFilters,
      count: { type: 'boolean', describe: 'Only how many' },
      clear: { type: 'boolean', describe: 'Empty the journal', conflicts: 'count' },
      follow: {
        type: 'boolean',
        describe: 'Print each one when it has ended, until interrupted',
        conflicts: ['count', 'clear'],
      },
    },
    call({ count, clear, ...args }) {
      if (clear) return { method: 'DELETE', path: '/_admin/requests' }
      const query = pick(args, Object.keys(requestFilters))
      return { method: 'GET', path: `/_admin/requests${count ? '/count' : ''}`, query }
    },
    shows: ['at', 'method', 'path', 'status', 'organization', 'fault', 'reason'],
  }),
  (args) =>
    follow(args, {
      type: 'request',
      matches: (request) =>
        fits({ ...request }, pick(args, ['surface', 'method', 'path', 'status', 'app', 'organization'])),
      line: requestLine,
    }),
)
