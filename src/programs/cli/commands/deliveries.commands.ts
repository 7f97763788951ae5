import type { Column } from '../../../control/admin/call.js'
import { type CommandGroup, durationFrom, failure, flag, wrongUse } from '../command/command.js'
import { jsonOrFile } from '../files/json-file.js'
import { currentInstallationId } from './apps.commands.js'
import { type CallByName, commandOf, control, numberFlag, subcontrol, withRuns } from './control-command.js'
import { deliveryLine, type EventLine, matchesFilters, withFollow } from './follow.js'

const deliveryColumns: Column[] = ['id', 'event.type', 'state', 'url', ['error', 'attempts.-1.error']]

function deliveryLineBy(filters: Record<string, unknown>): EventLine {
  return ({ type, data }) => {
    const isShown = type === 'delivery' && matchesFilters({ ...data, event: data.event.type }, filters)
    return isShown ? deliveryLine(data) : undefined
  }
}

/** control-api: "Webhooks" */
export const deliveriesCommand: CommandGroup = {
  subcommands: [
    withRuns(
      withFollow(
        commandOf('listDeliveries'),
        'Print each one as it changes, until interrupted',
        'listDeliveries',
        deliveryLineBy,
        ['mark'],
      ),
    ),
    commandOf('getDelivery'),
    subcontrol('redeliver <id>', 'Send a delivery again now', {
      operands: { id: { type: 'string', describe: 'Id of a delivery' } },
      flags: { forged: flag.text('Apply a fault effect, such as bad_signature, to this attempt') },
      example: 'TTkIUexDWVJK3rK7 --forged bad_signature',
      calls: ['redeliver', 'getDelivery', 'getInstallation', 'addFault', 'deleteFault'],
      async request(call, { id, forged }) {
        if (forged === 'reorder')
          throw wrongUse('--forged reorder: a redelivery is sent at once, so it has no other order')
        const fault = forged === undefined ? null : await addFaultFor(call, id, forged)
        try {
          const delivery = await call('redeliver', { params: { id } })
          if (fault === null || delivery.attempts.at(-1)?.fault === fault) return delivery
          throw failure('the event was sent, but not forged: an older fault fired first')
        } finally {
          if (fault !== null) await call('deleteFault', { params: { id: fault } }).catch(() => {})
        }
      },
      shows: deliveryColumns,
    }),
    commandOf('deliveriesSettled'),
  ],
}

/** Injects a fault that fires at the next attempt of a delivery's app and event. @returns its id. */
async function addFaultFor(call: CallByName, id: unknown, effect: unknown): Promise<string> {
  const { installation, organization, event } = await call('getDelivery', { params: { id } })
  const { app } = await call('getInstallation', { params: { id: installation } })
  const match = { surface: 'webhook', app, organization, event: event.type }
  return (await call('addFault', { body: { match, effect, times: 1 } })).id
}

/** control-api: "Webhooks", `POST /_admin/events` */
export const triggerCommand = control({
  operands: { event: { type: 'string', describe: 'Type of the event' } },
  flags: {
    installation: flag.text('Installation id, or --app and --organization'),
    app: flag.text('Manifest id or client id'),
    organization: flag.text('Slug'),
    data: flag.text('JSON object, or @FILE; {} when left out'),
  },
  example: `course.completed --app notes --organization acme --data '{"course":"intro"}'`,
  calls: ['sendEvent', 'listInstallations'],
  async request(call, args) {
    const { event, installation, app, organization, data } = args
    if (installation === undefined && (app === undefined || organization === undefined)) {
      throw wrongUse('trigger needs --installation, or --app and --organization')
    }
    const body = {
      type: event,
      installation: installation ?? (await currentInstallationId(call, args)),
      data: data === undefined ? {} : await jsonOrFile(String(data), '--data'),
    }
    return call('sendEvent', { body })
  },
  shows: deliveryColumns,
})

/** control-api: "Webhooks", inboxes */
export const inboxCommand = control({
  operands: { name: { type: 'string', describe: 'Name of the receiver: /_inbox/NAME' } },
  flags: {
    event: flag.text('Only events of this type'),
    wait: flag.text('Maximum time to wait for one: "5s"'),
    empty: flag.switch('Empty it', { conflicts: ['status', 'delay', 'header'] }),
    status: numberFlag('status', 'Status of its responses'),
    delay: flag.text('Delay of its responses: "2s"'),
    header: flag.texts('Header of its responses: "name: value"'),
  },
  example: 'mine --wait 5s',
  calls: ['readInbox', 'setInbox', 'emptyInbox'],
  request(call, args) {
    const { name, event, wait, empty, status, delay, header } = args
    const params = { name }
    if (empty) return call('emptyInbox', { params })
    if (status === undefined && delay === undefined && header === undefined) {
      return call('readInbox', { params, query: { event, wait } })
    }
    const headers = headersIn(header as string[] | undefined)
    return call('setInbox', { params, body: { status, delay: durationFrom(args, 'delay'), headers } })
  },
  shows: ['at', 'event', 'verified', 'app', 'body'],
})

const headersIn = (lines: string[] = []) =>
  Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      if (colon > 0) return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
      throw wrongUse(`--header ${JSON.stringify(line)}: must be "name: value"`)
    }),
  )
