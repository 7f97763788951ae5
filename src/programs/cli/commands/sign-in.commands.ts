import { type CommandGroup, flag, wrongUse } from '../command/command.js'
import { commandOf, control, flagsOfCall, inputOf, subcontrol } from './control-command.js'

/** control-api: "Sign-in and silent authentication" */
export const signInCommand = control({
  operands: { user: { type: 'string', describe: 'User id or email' } },
  flags: { ambient: flag.switch('Treat requests without a cookie as signed in as this user') },
  example: 'ada@acme.test',
  calls: ['signIn', 'setAmbientUser'],
  request: (call, { user, ambient }) => call(ambient ? 'setAmbientUser' : 'signIn', { body: { user } }),
  print(result, { user, ambient }) {
    if (ambient) return `Requests without a cookie are ${user}'s now`
    const { cookie } = result as { cookie: { name: string; value: string } }
    return `${cookie.name}=${cookie.value}`
  },
})

export const sessionsCommand: CommandGroup = {
  subcommands: [
    commandOf('listSessions'),
    subcontrol('end', 'Sign every user out', {
      flags: { ambient: flag.switch('Only the ambient session, that of requests without a cookie') },
      calls: ['endSessions', 'clearAmbientUser'],
      request: async (call, { ambient }) => (ambient ? [await call('clearAmbientUser')] : call('endSessions')),
    }),
  ],
}

const { outcome: _, ...silentAuthFlags } = flagsOfCall('setSilentAuth')

export const silentAuthCommand = control({
  operands: { outcome: { type: 'string', describe: 'login_required, interaction_required, …' } },
  flags: { ...silentAuthFlags, clear: flag.switch('Remove every forced outcome') },
  example: 'login_required --times 1',
  calls: ['setSilentAuth', 'listSilentAuth', 'clearSilentAuth'],
  request(call, args) {
    if (args.clear && args.outcome !== undefined) throw wrongUse('--clear takes no outcome')
    if (args.clear) return call('clearSilentAuth')
    if (args.outcome === undefined) return call('listSilentAuth')
    return call('setSilentAuth', inputOf('setSilentAuth', args))
  },
})
