import * as z from 'zod'
import { duration } from '../../../foundation/schema/duration-schema.js'
import type { CallSchemas } from '../call.js'
import { name, strict } from '../schema-parts.js'

const states = ['active', 'expired', 'revoked', 'rotated'] as const
const kind = z.enum(['access', 'refresh'])
const grant = z.enum(['install', 'authorize'])

const token = z
  .object({
    id: z.string(),
    kind,
    grant,
    app: z.string(),
    organization: z.string(),
    installation: z.string(),
    user: z.string().nullable(),
    scope: z.string(),
    state: z.enum(states),
    issued_at: z.string(),
    expires_at: z.string(),
    last_four: z.string(),
  })
  .meta({ id: 'Token' })

const filters = {
  kind: kind.optional().describe('Access or refresh token'),
  grant: grant.optional().describe("An installation's token, or a user's"),
  installation: name.optional().describe('Id'),
  organization: name.optional().describe('Slug'),
  user: name.optional().describe('Id or email'),
  app: name.optional().describe('Manifest id or client id'),
  state: z.enum(states).optional().describe('Whether it works, or why not'),
}

/** Which tokens: by filters, by its secret, or all of them on purpose. */
const selection = strict({
  ...filters,
  kind: z
    .enum([...kind.options, 'all'])
    .optional()
    .describe('When left out: `access` where tokens expire, `all` where they are revoked'),
  token: name.optional().describe('The secret of one token'),
  all: z
    .literal(true)
    .optional()
    .describe('Of every app and organization; the kind is the one when `kind` is left out'),
})
  .superRefine(({ token, all, ...given }, context) => {
    const named = Object.values(given).filter((value) => value !== undefined).length
    const issue = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    if (token === undefined && all === undefined && named === 0) {
      issue([], 'must say which tokens: filters, { "token": "<the secret>" } or { "all": true }')
    }
    if (token !== undefined && (named > 0 || all)) issue(['token'], 'goes without filters and without all')
    if (all && named > 0) issue(['all'], 'goes without filters')
  })
  .meta({ id: 'TokenSelection' })

const tokenPair = z
  .object({
    token_type: z.literal('Bearer'),
    expires_in: z.int(),
    access_token: z.string(),
    refresh_token: z.string(),
    scope: z.string(),
  })
  .meta({ id: 'TokenPair' })

const ended = z
  .object({ affected: z.int(), access: z.int().describe('Access tokens among them'), refresh: z.int() })
  .meta({ id: 'EndedTokens' })

/** control-api: "Tokens" */
export const tokenSchemas = {
  listTokens: { query: strict(filters), answer: token },
  mintTokens: {
    body: strict({
      app: name.describe('Manifest id or client id'),
      organization: name.describe('Slug'),
      scope: z.string().optional().describe('Separated by spaces; all that can be granted when left out'),
      user: name.optional().describe("A user's id or email: mints a user's tokens, else the installation's"),
      ttl: duration.optional().describe('Lifetime of the access token'),
    }),
    answer: tokenPair,
  },
  expireTokens: { body: selection, answer: ended },
  revokeTokens: { body: selection, answer: ended },
} as const satisfies Record<string, CallSchemas>
