import { idPattern } from '../../foundation/schema/id-pattern.js'
import type { SchemaWords } from '../../foundation/schema/lazy-schema.js'
import type { GivenMessage, Identity } from './exchange.js'
import type { World } from './world.js'

// A run is one execution of a program that tests an app, such as an audit. Its traffic has the run's id, so that lists of
// what the app did for people and tests leave it out. dev: "Why, for webhooks as for requests"

/** The header with which the program of a run marks its control calls and the pages that its browsers request. */
export const RUN_HEADER = 'mockademy-run'
/** Selects every run in a filter, so no run has this id. */
export const ANY_RUN = 'any'

/** The field of an organization or a user that a run has made. */
export const runField = ({ documentId }: SchemaWords) =>
  documentId
    .refine((id) => id !== ANY_RUN, 'must not be "any"')
    .optional()
    .describe('Id of the audit or sweep that made it')

/** Returns the run that made the organization or else the user; undefined when neither is a run's. */
export const runOf = (
  { store }: Pick<World, 'store'>,
  { organization = '', user = '' }: Pick<Identity, 'organization' | 'user'>,
): string | undefined => store.organizations.get(organization)?.run ?? store.users.get(user)?.run

/** Returns the run that a request says it belongs to. */
export function runIn({ headers }: Pick<GivenMessage, 'headers'>): string | undefined {
  const given = headers[RUN_HEADER]
  return typeof given === 'string' && given !== ANY_RUN && idPattern.test(given) ? given : undefined
}

/**
 * Names of a run's snapshots: the world before it, and as it was when its stream ended although the run had not restored
 * the world. audit: "Rules of a fair audit" 2
 */
export const snapshotsOf = (run: string) => ({ before: `before ${run}`, left: `left by ${run}` })

/** Returns true for what a filter by run asks for. @param wanted undefined: only what belongs to no run. */
export const matchesRun = (run: string | undefined, wanted: string | undefined): boolean =>
  wanted === ANY_RUN || run === wanted
