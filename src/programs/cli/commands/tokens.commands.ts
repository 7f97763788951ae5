import { type CommandGroup, flag, wrongUse } from '../command/command.js'
import { commandOf, flagsOfCall, inputOf, subcontrol } from './control-command.js'

/** Returns a command that ends tokens. @param kind of the tokens when `--kind` is left out. */
const endTokensCommand = (verb: 'expire' | 'revoke', describe: string, kind: 'access' | 'all') => {
  const name = `${verb}Tokens` as const
  return subcontrol(verb, describe, {
    flags: { ...flagsOfCall(name), kind: flag.text(`access, refresh or all; ${kind} when left out`) },
    example: '--app notes --organization acme',
    calls: [name],
    request(call, args) {
      const { body = {} } = inputOf(name, args)
      if (Object.keys(body).length > 0) return call(name, { body })
      throw wrongUse(`tokens ${verb} needs a filter, --token or --all`)
    },
  })
}

/** control-api: "Tokens" */
export const tokensCommand: CommandGroup = {
  subcommands: [
    commandOf('listTokens'),
    endTokensCommand(
      'expire',
      'Make tokens expire now: access tokens, unless --kind or --token says otherwise',
      'access',
    ),
    endTokensCommand('revoke', 'Revoke tokens', 'all'),
    commandOf('mintTokens'),
  ],
}
