import { Refusal } from '../../../foundation/http/refusal.js'
import { forceOutcome, type SilentOutcome } from '../../../platform/oauth/silent-auth.js'
import type { SilentAuthRecord } from '../../../platform/oauth/silent-auth-record.js'
import type { SessionRecord } from '../../../platform/web-app/session-record.js'
import { cookieName, endSessions, startSession } from '../../../platform/web-app/sessions.js'
import type { CallResult, Handlers } from '../call-types.js'
import type { signInSchemas } from '../schemas/sign-in.schemas.js'
import { appOf, organizationOf, userOf } from './named-records.js'

const presentSession = ({ id, user, created_at, ambient }: SessionRecord): CallResult<'setAmbientUser'> => ({
  id,
  user,
  created_at,
  ambient,
})

const presentSilentAuth = ({
  sequence: _,
  left,
  outcome,
  ...fields
}: SilentAuthRecord): CallResult<'setSilentAuth'> => ({
  ...fields,
  outcome: outcome as SilentOutcome,
  times: left,
})

/** control-api: "Sign-in and silent authentication" */
export const signInHandlers: Handlers<keyof typeof signInSchemas> = {
  listSessions: (world) => [...world.store.sessions.all].map(presentSession),
  signIn(world, { body }) {
    const user = userOf(world, body.user)
    const { secret } = startSession(world, user)
    return { cookie: { name: cookieName(world), value: secret }, user: user.id }
  },
  endSessions(world) {
    const sessions = [...world.store.sessions.all]
    endSessions(world, sessions)
    return sessions.map(presentSession)
  },
  setAmbientUser: (world, { body }) => presentSession(startSession(world, userOf(world, body.user), { ambient: true })),
  clearAmbientUser(world) {
    const session = world.store.sessions.by('ambient', 'ambient')
    if (!session) throw new Refusal('not_found', { message: 'There is no ambient user' })
    endSessions(world, [session])
    return presentSession(session)
  },
  setSilentAuth(world, { body: { outcome, app, organization, user, times = null } }) {
    const record = forceOutcome(world, {
      outcome,
      app: app === undefined ? null : appOf(world, app).id,
      organization: organization === undefined ? null : organizationOf(world, organization).id,
      user: user === undefined ? null : userOf(world, user).id,
      times,
    })
    return presentSilentAuth(record)
  },
  listSilentAuth: (world) => [...world.store.silent_auth.all].map(presentSilentAuth),
  clearSilentAuth(world) {
    const records = [...world.store.silent_auth.all]
    world.store.change((tx) => {
      for (const { id } of records) tx.remove('silent_auth', id)
    })
    return records.map(presentSilentAuth)
  },
  rotateKeys(world, { body }) {
    const { key, retired } = world.keys.rotate(body)
    return { kid: key.id, retired }
  },
}
