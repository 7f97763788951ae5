import { control, pick, textFlag } from './control-command.js'

/** control-api: "Sign-in and silent authentication" */
export const signIn = control({
  operands: { user: { type: 'string', describe: 'User id or email' } },
  flags: { ambient: { type: 'boolean', describe: 'Requests without a cookie count as signed in as this user' } },
  call: ({ user, ambient }) =>
    ambient
      ? { method: 'PUT', path: '/_admin/sessions/ambient', body: { user } }
      : { method: 'POST', path: '/_admin/sessions', body: { user } },
  print(answer, { user, ambient }) {
    if (ambient) return `Requests without a cookie are ${user}'s now`
    const { cookie } = answer as { cookie: { name: string; value: string } }
    return `${cookie.name}=${cookie.value}`
  },
})

const matchers = {
  app: textFlag('Only for this app'),
  organization: textFlag('Only for this organization'),
  user: textFlag('Only for this user'),
}

export const silentAuth = control({
  operands: { outcome: { type: 'string', describe: 'login_required, interaction_required, …' } },
  flags: {
    ...matchers,
    times: { type: 'number', describe: 'For so many requests; every one when left out', requiresArg: true },
    clear: { type: 'boolean', describe: 'Force none any more', conflicts: 'outcome' },
  },
  call({ outcome, clear, ...args }) {
    if (clear) return { method: 'DELETE', path: '/_admin/silent-auth' }
    if (outcome === undefined) return { method: 'GET', path: '/_admin/silent-auth' }
    const body = { outcome, ...pick(args, [...Object.keys(matchers), 'times']) }
    return { method: 'PUT', path: '/_admin/silent-auth', body }
  },
})
