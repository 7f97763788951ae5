import * as z from 'zod'
import { duration } from '../../../foundation/schema/duration-schema.js'
import { type SilentOutcome, silentOutcomes } from '../../../platform/oauth/silent-auth.js'
import type { CallSchemas } from '../call.js'
import { name, strict } from '../schema-parts.js'

const session = z
  .object({ id: z.string(), user: z.string(), created_at: z.string(), ambient: z.boolean() })
  .meta({ id: 'Session' })

const cookie = z.object({ name: z.string(), value: z.string() })
const whom = strict({ user: name.describe('Id or email') })

const outcome = z.enum(Object.keys(silentOutcomes) as [SilentOutcome])
const matchers = {
  app: name.optional().describe('Manifest id or client id; any when left out'),
  organization: name.optional().describe('Slug; any when left out'),
  user: name.optional().describe('Id or email; any when left out'),
}

const silentAuth = z
  .object({
    id: z.string(),
    outcome,
    app: z.string().nullable(),
    organization: z.string().nullable(),
    user: z.string().nullable(),
    times: z.int().nullable().describe('How many more times; null: every one'),
    created_at: z.string(),
  })
  .meta({ id: 'SilentAuth' })

/** control-api: "Sign-in and silent authentication" */
export const signInSchemas = {
  listSessions: { answer: session },
  signIn: { body: whom, answer: z.object({ cookie, user: z.string() }).meta({ id: 'SignedIn' }) },
  endSessions: { answer: session },
  setAmbientUser: { body: whom, answer: session },
  clearAmbientUser: { answer: session },
  setSilentAuth: {
    body: strict({
      outcome,
      ...matchers,
      times: z.int().min(1).optional().describe('How many requests; all of them when left out'),
    }),
    answer: silentAuth,
  },
  listSilentAuth: { answer: silentAuth },
  clearSilentAuth: { answer: silentAuth },
  rotateKeys: {
    body: strict({
      retire: z.boolean().default(false).describe('Drop every earlier key from the JWKS'),
      after: duration.optional().describe('Publish it now, and sign with it only then'),
    }).refine(({ retire, after }) => !retire || after === undefined, {
      path: ['retire'],
      error: 'goes without after: until then the earlier key signs',
    }),
    answer: z
      .object({
        kid: z.string().describe('The key id of the new key'),
        retired: z.array(z.string()).describe('The key ids that the JWKS no longer has'),
      })
      .meta({ id: 'Rotation' }),
  },
} as const satisfies Record<string, CallSchemas>
