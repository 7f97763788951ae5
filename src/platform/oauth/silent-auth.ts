import type { World } from '../../emulator/world/world.js'
import type { SilentAuthRecord } from './silent-auth-record.js'

/** The results that can be forced on `prompt=none` requests. control-api: "Sign-in and silent authentication" */
export const silentOutcomes = {
  login_required: 'The user is not signed in',
  interaction_required: 'The app is not installed for the user, or the organization cannot be used',
  consent_required: 'The user must consent',
  invalid_scope: 'The requested scopes exceed the manifest',
  server_error: 'The server encountered an unexpected condition',
  temporarily_unavailable: 'The server cannot handle the request at the moment',
} as const

export type SilentOutcome = keyof typeof silentOutcomes

const matchers = ['app', 'organization', 'user'] as const

/** The app, user and organization of a silent request. `organization` is the pinned one, or else the one it would use. */
export type SilentFacts = { [M in (typeof matchers)[number]]: string | null }

/**
 * Returns the outcome that is forced on a silent request, and counts it; undefined when there is none. Of several that match, the one
 * with the most matchers wins, then the oldest.
 */
export function forcedOutcome(world: Pick<World, 'store'>, facts: SilentFacts): SilentOutcome | undefined {
  const matching = [...world.store.silent_auth.all].filter((record) =>
    matchers.every((name) => record[name] === null || record[name] === facts[name]),
  )
  const forced = matching.sort((a, b) => precision(b) - precision(a))[0]
  if (!forced) return undefined
  const { left } = forced
  if (left !== null) {
    world.store.change((tx) => {
      if (left <= 1) tx.remove('silent_auth', forced.id)
      else tx.put('silent_auth', { ...forced, left: left - 1 })
    })
  }
  return forced.outcome as SilentOutcome
}

const precision = (record: SilentAuthRecord) => matchers.filter((name) => record[name] !== null).length

/** Forces an outcome; it takes the place of the one with the same matchers. @param times null for every request. */
export function forceOutcome(
  world: Pick<World, 'clock' | 'random' | 'store'>,
  facts: SilentFacts & { outcome: SilentOutcome; times: number | null },
): SilentAuthRecord {
  const { times, ...fields } = facts
  return world.store.change((tx) => {
    for (const record of [...world.store.silent_auth.all]) {
      if (matchers.every((name) => record[name] === facts[name])) tx.remove('silent_auth', record.id)
    }
    const { clock, random } = world
    const created = { id: random.id(), created_at: clock.timestamp(facts.organization) }
    return tx.add('silent_auth', { ...created, ...fields, left: times })
  })
}
