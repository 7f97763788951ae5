import type { CommandGroup } from '../command.js'
import { CommandFailure } from '../command-failure.js'
import { pick, subcontrol, textFlag } from './control-command.js'

const filters = {
  kind: textFlag('access or refresh'),
  grant: textFlag('install or authorize'),
  installation: textFlag('Installation id'),
  organization: textFlag('Slug'),
  user: textFlag('User id or email'),
  app: textFlag('Manifest id or client id'),
  state: textFlag('active, expired, revoked or rotated'),
}
const selection = {
  ...filters,
  token: textFlag('The secret of one token'),
  all: { type: 'boolean', describe: 'Every token' },
} as const

const ending = (verb: 'expire' | 'revoke', describe: string) =>
  subcontrol(verb, describe, {
    flags: selection,
    call(args) {
      const body = pick(args, Object.keys(selection))
      if (Object.keys(body).length > 0) return { method: 'POST', path: `/_admin/tokens/${verb}`, body }
      throw new CommandFailure(2, `mockademy: tokens ${verb} needs a filter, --token or --all`)
    },
  })

/** control-api: "Tokens" */
export const tokens: CommandGroup = {
  subcommands: [
    subcontrol('list', 'List tokens, by the last four characters of their secrets', {
      flags: filters,
      call: (args) => ({ method: 'GET', path: '/_admin/tokens', query: pick(args, Object.keys(filters)) }),
      shows: ['last_four', 'kind', 'grant', 'app', 'organization', 'user', 'state', 'expires_at', 'scope'],
    }),
    ending('expire', 'Make tokens expire now'),
    ending('revoke', 'Revoke tokens'),
  ],
}
