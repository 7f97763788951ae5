import * as z from 'zod'
import { Refusal } from '../http/refusal.js'
import { type Route, route } from '../http/route.js'
import type { SessionRecord } from '../web-app/session-record.js'
import { cookieName, endSessions, startSession } from '../web-app/sessions.js'
import { bodyOf, created, list, ok, strict } from './answer.js'
import { userOf } from './named-records.js'

const source = 'control-api: Sign-in and silent authentication'

export const sessionShape = z.object({
  id: z.string(),
  user: z.string(),
  created_at: z.string(),
  ambient: z.boolean(),
})
export const signInRequest = strict({ user: z.string().min(1) })
export const signedInShape = z.object({
  cookie: z.object({ name: z.string(), value: z.string() }),
  user: z.string(),
})
const listShape = z.object({ data: z.array(sessionShape) })

const presentSession = ({ id, user, created_at, ambient }: SessionRecord): z.input<typeof sessionShape> => ({
  id,
  user,
  created_at,
  ambient,
})

/** control-api: "Sign-in and silent authentication" */
export const sessionRoutes: Route[] = [
  route('GET', '/_admin/sessions', { id: 'listSessions', summary: 'Sessions', source, answer: listShape }, (world) =>
    list([...world.store.sessions.all].map(presentSession)),
  ),
  route(
    'POST',
    '/_admin/sessions',
    {
      id: 'signIn',
      summary: 'Make a signed-in browser',
      source,
      body: signInRequest,
      answer: signedInShape,
      status: 201,
    },
    (world, request) => {
      const user = userOf(world, bodyOf(request, signInRequest).user)
      const { secret } = startSession(world, user)
      return created({ cookie: { name: cookieName(world), value: secret }, user: user.id })
    },
  ),
  route(
    'DELETE',
    '/_admin/sessions',
    { id: 'endSessions', summary: 'Sign everybody out', source, answer: listShape },
    (world) => {
      const sessions = [...world.store.sessions.all]
      endSessions(world, sessions)
      return list(sessions.map(presentSession))
    },
  ),
  route(
    'PUT',
    '/_admin/sessions/ambient',
    {
      id: 'setAmbientUser',
      summary: 'Who requests without a cookie are signed in as',
      source,
      body: signInRequest,
      answer: sessionShape,
    },
    (world, request) => {
      const user = userOf(world, bodyOf(request, signInRequest).user)
      return ok(presentSession(startSession(world, user, { ambient: true })))
    },
  ),
  route(
    'DELETE',
    '/_admin/sessions/ambient',
    { id: 'clearAmbientUser', summary: 'Nobody is signed in without a cookie', source, answer: sessionShape },
    (world) => {
      const session = world.store.sessions.by('ambient', 'ambient')
      if (!session) throw new Refusal('not_found', { message: 'There is no ambient user' })
      endSessions(world, [session])
      return ok(presentSession(session))
    },
  ),
]
