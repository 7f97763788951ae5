import type { CommandGroup } from '../command.js'
import { control, inPath, pick, subcontrol, textFlag } from './control-command.js'

const id = { type: 'string', describe: 'Id of a delivery' } as const
const filters = {
  event: textFlag('Type of the event'),
  installation: textFlag('Installation id'),
  organization: textFlag('Slug'),
  state: textFlag('pending, acknowledged, retrying, failed or dropped'),
}
const asJson = (answer: unknown) => JSON.stringify(answer, null, 2)

/** control-api: "Webhooks" */
export const deliveries: CommandGroup = {
  subcommands: [
    subcontrol('list', 'List the deliveries', {
      flags: filters,
      call: (args) => ({ method: 'GET', path: '/_admin/deliveries', query: pick(args, Object.keys(filters)) }),
      shows: ['id', 'event.type', 'organization', 'state', 'due_at', 'url'],
    }),
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
  surface: textFlag('api, oauth, web, admin or inbox'),
  method: textFlag('HTTP method'),
  path: textFlag('Path, with * for any part'),
  status: textFlag('HTTP status'),
  app: textFlag('Manifest id'),
  organization: textFlag('Slug'),
  since: textFlag('ISO 8601 date-time'),
  limit: textFlag('At most so many, the newest'),
}

/** control-api: "Journal" */
export const requests = control({
  flags: {
    ...requestFilters,
    count: { type: 'boolean', describe: 'Only how many' },
    clear: { type: 'boolean', describe: 'Empty the journal', conflicts: 'count' },
  },
  call({ count, clear, ...args }) {
    if (clear) return { method: 'DELETE', path: '/_admin/requests' }
    const query = pick(args, Object.keys(requestFilters))
    return { method: 'GET', path: `/_admin/requests${count ? '/count' : ''}`, query }
  },
  shows: ['at', 'method', 'path', 'status', 'organization', 'fault', 'reason'],
})
