import * as z from 'zod'
import { matchesPath } from '../../foundation/http/path-pattern.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { type Issue, readBySchema } from '../../foundation/schema/issue.js'
import { duration } from '../../foundation/schema/schema-words.js'
import { canChange, effectsOf, oauthRequests, TOKEN_REQUEST } from './effects.js'

type FaultSurface = keyof typeof effectsOf
const faultSurfaces = Object.keys(effectsOf) as FaultSurface[]

/** The requests that a fault matches, as faults are given. control-api: "Faults" */
export const faultMatch = z.strictObject({
  surface: z.enum(faultSurfaces).optional(),
  method: z
    .string()
    .transform((method) => method.toUpperCase())
    .optional()
    .describe('HTTP method'),
  path: z.string().optional().describe('Path, with `*` for any text'),
  app: z.string().optional().describe('Manifest id or client id'),
  organization: z.string().optional().describe('Slug'),
  event: z.string().min(1).optional().describe('Type of the webhook event, with `*` for any text'),
  grant_type: z.string().optional().describe('Grant type of a token request'),
})

export type FaultMatch = z.output<typeof faultMatch>

/** Returns the matchers with which a fault could never fire. control-api: preamble */
function issuesOfMatch({ surface, path, method, event, grant_type, app, organization }: FaultMatch): Issue[] {
  const surfaces: FaultSurface[] = surface ? [surface] : ['api', 'oauth']
  const called = surfaces.join(' or ')
  const hasGrant = surfaces.some((each) => each === 'oauth' || each === 'id_token')
  const issues: Issue[] = []
  const add = (field: keyof FaultMatch, message: string) => issues.push({ path: field, message })
  if (path?.includes('?')) add('path', 'must end before the ?: a fault does not match by query')
  const template = path?.match(/\{[^}]*\}/)?.[0]
  if (template) add('path', `must have * in place of ${template}: no request has it in its path`)
  if (event !== undefined && surface !== 'webhook') {
    add('event', 'requires the surface webhook: no other request has an event')
  }
  if (grant_type !== undefined && hasGrant) {
    const only = `only ${TOKEN_REQUEST.method} ${TOKEN_REQUEST.path} has a grant_type`
    if (surface === 'id_token' && grant_type !== 'authorization_code') {
      add('grant_type', 'must be authorization_code: no other grant returns an id_token')
    }
    if (path !== undefined && !matchesPath(path, TOKEN_REQUEST.path)) {
      add('path', `does not match ${TOKEN_REQUEST.path}: ${only}`)
    }
    if (method !== undefined && method !== TOKEN_REQUEST.method)
      add('method', `must be ${TOKEN_REQUEST.method}: ${only}`)
    return issues
  }
  if (grant_type !== undefined) add('grant_type', 'requires the surface oauth or id_token')
  const paths: string[] = surfaces.flatMap((each) => effectsOf[each].paths)
  if (path !== undefined && !paths.some((each) => canMeet(path, each))) {
    add('path', `matches no request of ${called}: those are ${paths.join(', ')}`)
  }
  if (path?.startsWith('/.well-known/') && (app ?? organization) !== undefined) {
    add('path', 'matches requests that name no app and no organization')
  }
  const methods = new Set<string>(surfaces.flatMap((each) => effectsOf[each].methods))
  if (method !== undefined && !methods.has(method)) {
    add('method', `matches no request of ${called}: those are ${[...methods].join(', ')}`)
  }
  return issues
}

/** Returns the matchers with which a fault meets only requests to OAuth endpoints that its effect cannot change. */
function issuesOfEffect(effect: unknown, { surface, path, method }: FaultMatch): Issue[] {
  const isOfApi = path === undefined || effectsOf.api.paths.some((each) => canMeet(path, each))
  const isOauthOnly = surface === 'oauth' || (surface === undefined && !isOfApi)
  if (!isOauthOnly) return []
  const met = oauthRequests.filter(
    (each) => (path === undefined || matchesPath(path, each.path)) && (method ?? each.method) === each.method,
  )
  if (met.length === 0 || met.some((each) => canChange(effect, each))) return []
  const able = oauthRequests.filter((each) => canChange(effect, each)).map((each) => `${each.method} ${each.path}`)
  const message = `matches no request whose response the effect can change: those are ${able.join(', ')}`
  return [{ path: path === undefined ? 'method' : 'path', message }]
}

/** Returns true when some path matches both patterns. The second one has no `*`, or one at its end. */
function canMeet(pattern: string, known: string): boolean {
  if (!known.endsWith('*')) return matchesPath(pattern, known)
  const start = known.slice(0, -1)
  const star = pattern.indexOf('*')
  const fixed = star < 0 ? pattern : pattern.slice(0, star)
  return fixed.startsWith(start) || (star >= 0 && start.startsWith(fixed))
}

/** The body of `POST /_admin/faults`. control-api: "Faults" */
export const faultRequest = z
  .strictObject({
    match: faultMatch.default({}).describe('Requests that it matches; a field left out matches any'),
    effect: z.unknown().describe('Name of an effect, or an object'),
    phase: z.enum(['before', 'after']).default('before').describe('Before the request takes effect, or after'),
    times: z.int().min(1).optional().describe('Number of times it fires; no limit when left out'),
    after: z.int().min(0).default(0).describe('Number of matching requests that pass before it fires'),
    probability: z.number().min(0).max(1).default(1).describe('Probability that it fires for a matching request'),
    expires_in: duration
      .refine((ms) => ms > 0, 'must be more than 0: the fault would end before it could fire')
      .optional()
      .describe('Lifetime on the clock of the organization that it matches, or else on the emulator\'s: "1h"'),
  })
  .transform((fault, context) => {
    const { match, effect } = fault
    const { surface = 'api' } = match
    const { names, parts } = effectsOf[surface]
    const add = (path: (string | number)[], message: string) =>
      context.issues.push({ code: 'custom', input: effect, path, message })
    for (const { path, message } of [...issuesOfMatch(match), ...issuesOfEffect(effect, match)]) {
      add(['match', path], message)
    }
    if (fault.phase === 'after' && (surface === 'webhook' || surface === 'id_token')) {
      add(['phase'], 'must be before: after requires the surface api or oauth')
    }
    const surfaces = surfacesWith(effect)
    if (surfaces.length > 0 && !surfaces.includes(surface)) {
      const others = surfaces.join(' or ')
      add(['effect'], `"${effect}" is an effect of the surface ${others}: set match.surface to ${others}`)
      return z.NEVER
    }
    const fields = Object.keys(parts.shape).join(', ')
    const name = z.enum(names, `must be one of ${names.join(', ')}, or an object of ${fields}`)
    const { data, issues = [] } = readBySchema(isObject(effect) ? parts : name, effect)
    for (const { path, message } of issues) add(['effect', ...path], message)
    return { ...fault, effect: data }
  })

const surfacesWith = (effect: unknown) =>
  faultSurfaces.filter((surface) => (effectsOf[surface].names as readonly unknown[]).includes(effect))
