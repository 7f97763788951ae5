import type { Column } from '../../../control/admin/call.js'
import { callTable } from '../../../control/admin/call-table.js'
import { type CommandGroup, flag } from '../command/command.js'
import { type CallByName, commandOf, control, flagsOfCall, inputOf, subcontrol } from './control-command.js'

const organization = { type: 'string', describe: 'Slug' } as const
const user = { type: 'string', describe: 'User id or email' } as const

/** control-api: "Organizations, users, apps" */
export const organizationsCommand: CommandGroup = {
  subcommands: [
    commandOf('listOrganizations'),
    commandOf('getOrganization'),
    subcontrol('create <organization> [name]', 'Add an organization', {
      operands: { organization, name: { type: 'string', describe: 'Name; the slug when left out' } },
      example: 'hooli "Hooli Learning"',
      calls: ['createOrganization'],
      request: (call, { organization, name = organization }) =>
        call('createOrganization', { body: { slug: organization, name } }),
      shows: ['slug', 'name'],
    }),
    commandOf('deleteOrganization'),
    subcontrol('add-member <organization> <user>', 'Make a user a member, or give a member another role', {
      operands: { organization, user },
      flags: {
        role: flag.text('owner, admin, lecturer or learner', { defaultDescription: "a member's own, or learner" }),
      },
      example: 'acme zoe@zenith.test --role admin',
      calls: ['putMember', 'getOrganization'],
      async request(call, { organization, user, role }) {
        const params = { slug: organization, user }
        return call('putMember', { params, body: { role: role ?? (await presentRole(call, params)) } })
      },
    }),
    commandOf('deleteMember'),
  ],
}

/** Returns the role that a user has already, so that nobody loses it; `learner` for a new member. */
async function presentRole(call: CallByName, { slug, user }: { slug: unknown; user: unknown }): Promise<string> {
  const { members } = await call('getOrganization', { params: { slug } })
  const name = String(user).toLowerCase()
  return members.find((each) => [each.user, each.email].some((own) => own.toLowerCase() === name))?.role ?? 'learner'
}

/** control-api: "Organizations, users, apps", `api-key` */
export const apiKeyCommand = control({
  operands: { organization },
  example: 'acme',
  calls: ['generateApiKey'],
  request: (call, { organization }) => call('generateApiKey', { params: { slug: organization } }),
  print: ({ api_key }) => api_key,
})

const { email: _, ...userFlags } = flagsOfCall('updateUser')

export const usersCommand: CommandGroup = {
  subcommands: [
    commandOf('listUsers'),
    subcontrol('create <email>', 'Add a user', {
      operands: { email: { type: 'string', describe: 'Email' } },
      flags: { id: flag.text('Id; generated when left out'), ...userFlags },
      example: 'zoe@zenith.test --first-name Zoe',
      calls: ['createUser'],
      request: (call, args) => call('createUser', inputOf('createUser', args)),
      shows: callTable.listUsers.command?.shows as Column[],
    }),
    commandOf('updateUser'),
    commandOf('deleteUser'),
  ],
}
