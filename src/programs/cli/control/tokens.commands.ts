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
const selection = (kind: string) => ({
  ...filters,
  kind: textFlag(`access, refresh or all; ${kind} when left out`),
  token: textFlag('The secret of one token, of either kind'),
  all: { type: 'boolean' as const, describe: 'Of every app and organization' },
})

const ending = (verb: 'expire' | 'revoke', describe: string, kind: 'access' | 'all') => {
  const name = `${verb}Tokens` as const
  const flags = selection(kind)
  return subcontrol(verb, describe, {
    flags,
    example: '--app notes --organization acme',
    calls: [name],
    answer(call, args) {
      const body = pick(args, Object.keys(flags))
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
    ending('expire', 'Make tokens expire now: access tokens, unless --kind or --token says otherwise', 'access'),
    ending('revoke', 'Revoke tokens', 'all'),
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
