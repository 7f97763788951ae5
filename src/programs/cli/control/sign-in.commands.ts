import type { CommandGroup } from '../command.js'
import { control, numberFlag, pick, subcontrol, textFlag } from './control-command.js'

/** control-api: "Sign-in and silent authentication" */
export const signInCommand = control({
  operands: { user: { type: 'string', describe: 'User id or email' } },
  flags: { ambient: { type: 'boolean', describe: 'Requests without a cookie count as signed in as this user' } },
  example: 'ada@acme.test',
  calls: ['signIn', 'setAmbientUser'],
  answer: (call, { user, ambient }) => call(ambient ? 'setAmbientUser' : 'signIn', { body: { user } }),
  print(answer, { user, ambient }) {
    if (ambient) return `Requests without a cookie are ${user}'s now`
    const { cookie } = answer as { cookie: { name: string; value: string } }
    return `${cookie.name}=${cookie.value}`
  },
})

export const sessionsCommand: CommandGroup = {
  subcommands: [
    subcontrol('list', 'List the sessions', { calls: ['listSessions'] }),
    subcontrol('end', 'Sign everybody out', {
      flags: { ambient: { type: 'boolean', describe: 'Only the ambient session, that of requests without a cookie' } },
      calls: ['endSessions', 'clearAmbientUser'],
      answer: async (call, { ambient }) => (ambient ? [await call('clearAmbientUser')] : call('endSessions')),
    }),
  ],
}

const matchers = {
  app: textFlag('Only for this app'),
  organization: textFlag('Only for this organization'),
  user: textFlag('Only for this user'),
}

export const silentAuthCommand = control({
  operands: { outcome: { type: 'string', describe: 'login_required, interaction_required, …' } },
  flags: {
    ...matchers,
    times: numberFlag('times', 'How many requests; all of them when left out'),
    clear: { type: 'boolean', describe: 'Force nothing any more', conflicts: 'outcome' },
  },
  example: 'login_required --times 1',
  calls: ['setSilentAuth', 'listSilentAuth', 'clearSilentAuth'],
  answer(call, { outcome, clear, ...args }) {
    if (clear) return call('clearSilentAuth')
    if (outcome === undefined) return call('listSilentAuth')
    return call('setSilentAuth', { body: { outcome, ...pick(args, [...Object.keys(matchers), 'times']) } })
  },
})

export const keysCommand: CommandGroup = {
  subcommands: [
    subcontrol('rotate', 'Sign with a new key, from now on or later', {
      flags: {
        retire: { type: 'boolean', describe: 'Drop every earlier key from the JWKS' },
        after: textFlag('Publish it now, and sign with it only then: "1h"'),
      },
      example: '--after 1h',
      calls: ['rotateKeys'],
      answer: (call, args) => call('rotateKeys', { body: pick(args, ['retire', 'after']) }),
    }),
  ],
}
