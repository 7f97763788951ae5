import * as z from 'zod'
import { type Route, route } from '../http/route.js'
import { forceOutcome, type SilentOutcome, silentOutcomes } from '../oauth/silent-auth.js'
import type { SilentAuthRecord } from '../oauth/silent-auth-record.js'
import { bodyOf, list, ok, strict } from './answer.js'
import { appOf, organizationOf, userOf } from './named-records.js'

const source = 'control-api: Sign-in and silent authentication'
const outcome = z.enum(Object.keys(silentOutcomes) as [SilentOutcome])
const name = z.string().min(1)

export const silentAuthRequest = strict({
  outcome,
  app: name.optional(),
  organization: name.optional(),
  user: name.optional(),
  times: z.int().min(1).optional(),
})

export const silentAuthShape = z.object({
  id: z.string(),
  outcome,
  app: z.string().nullable(),
  organization: z.string().nullable(),
  user: z.string().nullable(),
  /** How many more times; null: every one. */
  times: z.int().nullable(),
  created_at: z.string(),
})
const listShape = z.object({ data: z.array(silentAuthShape) })

const presentSilentAuth = ({ sequence: _, left, outcome, ...fields }: SilentAuthRecord) => ({
  ...fields,
  outcome: outcome as SilentOutcome,
  times: left,
})

/** control-api: "Sign-in and silent authentication" */
export const silentAuthRoutes: Route[] = [
  route(
    'PUT',
    '/_admin/silent-auth',
    {
      id: 'setSilentAuth',
      summary: 'Force how prompt=none requests end',
      source,
      body: silentAuthRequest,
      answer: silentAuthShape,
    },
    (world, request) => {
      const { outcome, app, organization, user, times = null } = bodyOf(request, silentAuthRequest)
      const record = forceOutcome(world, {
        outcome,
        app: app === undefined ? null : appOf(world, app).id,
        organization: organization === undefined ? null : organizationOf(world, organization).id,
        user: user === undefined ? null : userOf(world, user).id,
        times,
      })
      return ok(presentSilentAuth(record))
    },
  ),
  route(
    'GET',
    '/_admin/silent-auth',
    { id: 'listSilentAuth', summary: 'Forced outcomes of prompt=none requests', source, answer: listShape },
    (world) => list([...world.store.silent_auth.all].map(presentSilentAuth)),
  ),
  route(
    'DELETE',
    '/_admin/silent-auth',
    { id: 'clearSilentAuth', summary: 'Force nothing any more', source, answer: listShape },
    (world) => {
      const records = [...world.store.silent_auth.all]
      world.store.change((tx) => {
        for (const { id } of records) tx.remove('silent_auth', id)
      })
      return list(records.map(presentSilentAuth))
    },
  ),
]
