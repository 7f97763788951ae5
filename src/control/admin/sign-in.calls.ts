import * as z from 'zod'
import { Refusal } from '../../foundation/http/refusal.js'
import { duration } from '../../foundation/schema/schema-words.js'
import { forceOutcome, type SilentOutcome, silentOutcomes } from '../../platform/oauth/silent-auth.js'
import type { SilentAuthRecord } from '../../platform/oauth/silent-auth-record.js'
import { cookieName, endSessions, startSession } from '../../platform/web-app/sessions.js'
import { chapter, name, project, shape } from './call.js'
import { removeAll, resolveNames, userOf } from './named-records.js'

const call = chapter('Sign-in and silent authentication')

const session = shape('Session', 'A session of a user in the web application', {
  id: z.string(),
  user: z.string(),
  created_at: z.string(),
  ambient: z.boolean(),
})

const userBody = z.strictObject({ user: name.describe('User id or email') })

const outcome = z.enum(Object.keys(silentOutcomes) as [SilentOutcome])

const silentAuth = shape('SilentAuth', 'A response that the next silent sign-ins receive', {
  id: z.string(),
  outcome,
  app: z.string().nullable(),
  organization: z.string().nullable(),
  user: z.string().nullable(),
  times: z.int().nullable().describe('Remaining requests; null: no limit'),
  created_at: z.string(),
})

const presentSilentAuth = (record: SilentAuthRecord) =>
  project(silentAuth, { ...record, outcome: record.outcome as SilentOutcome, times: record.left })

export const signInCalls = {
  listSessions: call('GET', '/_admin/sessions', {
    summary: 'List the sessions',
    command: { line: 'sessions list' },
    list: true,
    response: session,
    handler: (world) => Array.from(world.store.sessions.all, (each) => project(session, each)),
  }),
  signIn: call('POST', '/_admin/sessions', {
    summary: 'Sign a user in and return the session cookie',
    status: 201,
    argument: 'user',
    body: userBody,
    response: shape('SignedIn', 'A new session: its cookie and its user', {
      cookie: z.object({ name: z.string(), value: z.string() }),
      user: z.string(),
    }),
    handler(world, { body }) {
      const user = userOf(world, body.user)
      const { secret } = startSession(world, user)
      return { cookie: { name: cookieName(world), value: secret }, user: user.id }
    },
  }),
  endSessions: call('DELETE', '/_admin/sessions', {
    summary: 'Sign every user out',
    list: true,
    response: session,
    handler: (world) => removeAll(world, 'sessions').map((each) => project(session, each)),
  }),
  setAmbientUser: call('PUT', '/_admin/sessions/ambient', {
    summary: 'Treat requests without a cookie as signed in as this user',
    argument: 'user',
    body: userBody,
    response: session,
    handler: (world, { body }) => project(session, startSession(world, userOf(world, body.user), { ambient: true })),
  }),
  clearAmbientUser: call('DELETE', '/_admin/sessions/ambient', {
    summary: 'End the ambient session: requests without a cookie are signed out',
    response: session,
    handler(world) {
      const found = world.store.sessions.by('ambient', 'ambient')
      if (!found) throw new Refusal('not_found', { message: 'There is no ambient user' })
      endSessions(world, [found])
      return project(session, found)
    },
  }),
  setSilentAuth: call('PUT', '/_admin/silent-auth', {
    summary: 'Force the outcome of prompt=none requests',
    body: z.strictObject({
      outcome,
      app: name.optional().describe('Manifest id or client id; any when left out'),
      organization: name.optional().describe('Slug; any when left out'),
      user: name.optional().describe('User id or email; any when left out'),
      times: z.int().min(1).optional().describe('Number of requests; no limit when left out'),
    }),
    response: silentAuth,
    handler(world, { body: { outcome, times = null, ...names } }) {
      const anyone = { app: null, organization: null, user: null }
      return presentSilentAuth(forceOutcome(world, { ...anyone, ...resolveNames(world, names), outcome, times }))
    },
  }),
  listSilentAuth: call('GET', '/_admin/silent-auth', {
    summary: 'List the forced outcomes of prompt=none requests',
    list: true,
    response: silentAuth,
    handler: (world) => Array.from(world.store.silent_auth.all, presentSilentAuth),
  }),
  clearSilentAuth: call('DELETE', '/_admin/silent-auth', {
    summary: 'Remove every forced outcome',
    list: true,
    response: silentAuth,
    handler: (world) => removeAll(world, 'silent_auth').map(presentSilentAuth),
  }),
  rotateKeys: call('POST', '/_admin/keys/rotate', {
    summary: 'Rotate the signing key, now or later',
    loses: true,
    command: { line: 'keys rotate', example: '--after 1h' },
    bodyOptional: true,
    body: z
      .strictObject({
        retire: z.boolean().default(false).describe('Remove every earlier key from the JWKS'),
        after: duration.optional().describe('Publish the key now, and sign with it after this time: "1h"'),
      })
      .refine(({ retire, after }) => !retire || after === undefined, {
        path: ['retire'],
        error: 'cannot be combined with after: until then the earlier key signs',
      }),
    response: shape('Rotation', 'A rotation of the signing keys', {
      kid: z.string().describe('The key id of the new key'),
      retired: z.array(z.string()).describe('The key ids that the JWKS no longer has'),
    }),
    handler(world, { body }) {
      const { key, retired } = world.keys.rotate(body)
      return { kid: key.id, retired }
    },
  }),
}
