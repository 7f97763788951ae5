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

const ending = (verb: 'expire' | 'revoke', describe: string) => {
  const name = `${verb}Tokens` as const
  return subcontrol(verb, describe, {
    flags: selection,
    example: '--app notes --organization acme --kind access',
    calls: [name],
    answer(call, args) {
      const body = pick(args, Object.keys(selection))
      if (Object.keys(body).length > 0) return call(name, { body })
      throw new CommandFailure(2, `mockademy: tokens ${verb} needs a filter, --token or --all`)
    },
  })
}

/** control-api: "Tokens" */
export const tokensCommand: CommandGroup = {
  subcommands: [
    subcontrol('list', 'List tokens, by the last four characters of their secrets', {
      flags: filters,
      example: '--app notes --state active',
      calls: ['listTokens'],
      answer: (call, args) => call('listTokens', { query: pick(args, Object.keys(filters)) }),
      shows: ['last_four', 'kind', 'grant', 'app', 'organization', 'user', 'state', 'expires_at', 'scope'],
    }),
    ending('expire', 'Make tokens expire now'),
    ending('revoke', 'Revoke tokens'),
    subcontrol('mint <app> <organization>', 'Mint a token pair', {
      operands: {
        app: { type: 'string', describe: 'Manifest id or client id' },
        organization: { type: 'string', describe: 'Slug' },
      },
      flags: {
        user: textFlag("User id or email: mints a user's tokens, else the installation's"),
        scope: textFlag('Separated by spaces; all that can be granted when left out'),
        ttl: textFlag('Lifetime of the access token: "10m"'),
      },
      example: 'notes acme --ttl 10m',
      calls: ['mintTokens'],
      answer: (call, args) => call('mintTokens', { body: pick(args, ['app', 'organization', 'user', 'scope', 'ttl']) }),
    }),
  ],
}
