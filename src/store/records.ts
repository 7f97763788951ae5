import * as z from 'zod'
import { isObject } from '../elements/json.js'

/**
 * What the store keeps, one schema a kind of record. A record is not its wire shape: `present…` functions project it.
 * Times are ISO 8601 UTC with milliseconds, so that they compare as text. wire: §1
 */
const timestamp = z.iso.datetime()

const base = {
  id: z.string(),
  /** Orders records that were created in the same millisecond; unique in a world. */
  sequence: z.int(),
  created_at: timestamp,
}

/**
 * Whatever a person has put there, by key. Any key is data, `__proto__` too, which zod's own record would drop.
 * wire: §5 `metadata`
 */
export const freeForm = z
  .unknown()
  .refine(isObject, 'must be an object')
  .meta({
    type: 'object',
    propertyNames: { type: 'string' },
    additionalProperties: {},
  }) as z.ZodType<Record<string, unknown>>

/** `id` is the slug. */
const organization = z.object({ ...base, name: z.string(), api_key: z.string().nullable() })

const user = z.object({
  ...base,
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  full_name: z.string(),
  email_verified: z.boolean(),
  avatar: z.string().nullable(),
  last_seen: timestamp.nullable(),
})

export const roles = ['owner', 'admin', 'lecturer', 'learner'] as const

/** `id` is `<organization>/<user>`. */
const membership = z.object({ ...base, organization: z.string(), user: z.string(), role: z.enum(roles) })

const course = z.object({
  ...base,
  organization: z.string(),
  name: z.string(),
  status: z.enum(['draft', 'published', 'archived']),
  cover: z.string().nullable(),
  availability: z.enum(['public', 'private']),
  visibility: z.enum(['listed', 'unlisted']),
  start_date: z.string().nullable(),
  end_date: z.string().nullable(),
  currency: z.string().nullable(),
  price: z.number().nullable(),
  free_label: z.string().nullable(),
  url: z.string().nullable(),
  public_url: z.string().nullable(),
  join_url: z.string().nullable(),
  metadata: freeForm,
  custom_fields: freeForm,
})

/** `id` is `<course>/<user>`. */
const courseMember = z.object({
  ...base,
  organization: z.string(),
  course: z.string(),
  user: z.string(),
  joined_at: timestamp,
  custom_fields: freeForm,
})

/** `order` is a fractional key: siblings sorted by it stand in position order, and a move changes one record. */
const module = z.object({
  ...base,
  organization: z.string(),
  course: z.string(),
  name: z.string(),
  order: z.string(),
  metadata: freeForm,
})

/** `properties` as stored: see `src/elements/element-types.ts`. `order` as on a module. */
const element = z.object({
  ...base,
  organization: z.string(),
  course: z.string(),
  module: z.string(),
  order: z.string(),
  type: z.string(),
  name: z.string(),
  content: z.string(),
  cover: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  properties: freeForm,
  updated_at: timestamp,
})

/** Exactly one of `member` and `members` is not null; both hold user ids. spec: §2.4 */
const activity = z.object({
  ...base,
  organization: z.string(),
  element: z.string(),
  status: z.enum(['started', 'submitted', 'completed', 'graded']),
  passed: z.boolean().nullable(),
  score: z.number().nullable(),
  timestamp,
  completed_by: z.string().nullable(),
  member: z.string().nullable(),
  members: z.array(z.string()).nullable(),
  responses: z.array(z.object({ question: z.string().nullable(), value: z.unknown() })),
})

const appVersion = z.object({ version: z.string(), manifest: freeForm, pushed_at: timestamp })

/** `id` is the manifest's id. `versions` in the order in which they were pushed; the last one is the newest. spec: §9 */
const app = z.object({
  ...base,
  client_id: z.string(),
  client_secret: z.string(),
  signing_secret: z.string(),
  versions: z.array(appVersion).min(1),
})

export const installationStates = ['installed', 'uninstalling', 'uninstalled', 'upgraded'] as const

/** `app` is the manifest id, `organization` the slug, `installer` a user id, `scope` space-separated. spec: §3 */
const installation = z.object({
  ...base,
  app: z.string(),
  organization: z.string(),
  version: z.string(),
  installer: z.string().nullable(),
  state: z.enum(installationStates),
  scope: z.string(),
  installed_at: timestamp,
  ended_at: timestamp.nullable(),
})

/**
 * An access or refresh token. `ended` says what ended it before its time; being expired is a matter of the clock.
 * `code` is the id of the authorization code it was issued for, if any. `rotated_from` links a pair to the refresh that made it.
 */
const token = z.object({
  ...base,
  secret: z.string(),
  kind: z.enum(['access', 'refresh']),
  grant: z.enum(['install', 'authorize']),
  app: z.string(),
  organization: z.string(),
  installation: z.string(),
  user: z.string().nullable(),
  scope: z.string(),
  code: z.string().nullable(),
  expires_at: timestamp,
  ended: z.enum(['revoked', 'rotated']).nullable(),
  ended_at: timestamp.nullable(),
  /** What ended it, in words for the journal: `uninstalled`, `upgraded`, `code used twice`, … */
  ended_by: z.string().nullable(),
})

/** An authorization code. wire: §6 */
const code = z.object({
  ...base,
  secret: z.string(),
  app: z.string(),
  organization: z.string(),
  installation: z.string(),
  user: z.string(),
  scope: z.string(),
  redirect_uri: z.string(),
  nonce: z.string().nullable(),
  code_challenge: z.string().nullable(),
  code_challenge_method: z.enum(['S256', 'plain']).nullable(),
  expires_at: timestamp,
  used_at: timestamp.nullable(),
})

/** A signed-in browser; `secret` is its cookie's value, `csrf` what its forms carry. The ambient session has no cookie. */
const session = z.object({
  ...base,
  secret: z.string(),
  csrf: z.string(),
  user: z.string(),
  ambient: z.boolean(),
})

const attempt = z.object({
  at: timestamp,
  /** Null when no answer came. */
  status: z.int().nullable(),
  /** Real milliseconds. */
  duration: z.number(),
  error: z.string().nullable(),
  fault: z.string().nullable(),
  /** `body` is null when it was the delivery's own. */
  request: z.object({ headers: z.record(z.string(), z.string()), body: z.string().nullable() }),
  response: z.object({ headers: z.record(z.string(), z.string()), body: z.string() }).nullable(),
})

export const deliveryStates = ['pending', 'acknowledged', 'retrying', 'failed', 'dropped'] as const

/**
 * One event on its way to one webhook. `body` is the exact text that is sent and signed, on every attempt. `due_at` is
 * when its next attempt is due; `tries` counts the attempts of the schedule; `held` names the fault that has put
 * off the next one: until `due_at`, or, when that is null, until after the next delivery. wire: §7
 */
const delivery = z.object({
  ...base,
  event: z.object({ id: z.string(), type: z.string() }),
  app: z.string(),
  installation: z.string(),
  organization: z.string(),
  url: z.string(),
  body: z.string(),
  state: z.enum(deliveryStates),
  due_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
  tries: z.int(),
  held: z.object({ effect: z.enum(['delay', 'reorder']), fault: z.string() }).nullable(),
  attempts: z.array(attempt),
})

/** An RS256 key pair as JWKs; `id` is its kid. Retired keys are gone from the JWKS. */
const key = z.object({ ...base, private_jwk: freeForm, public_jwk: freeForm, retired: z.boolean() })

/** A forced outcome of `prompt=none` requests. `left` is null when it is for every one. control-api: "Sign-in …" */
const silentAuth = z.object({
  ...base,
  outcome: z.string(),
  app: z.string().nullable(),
  organization: z.string().nullable(),
  user: z.string().nullable(),
  left: z.int().nullable(),
})

/** An injected fault as it was asked for, and how often it has matched (`seen`) and fired (`hits`). control-api: "Faults" */
const fault = z.object({
  ...base,
  match: freeForm,
  effect: z.unknown(),
  phase: z.enum(['before', 'after']),
  times: z.int().nullable(),
  after: z.int(),
  probability: z.number(),
  expires_at: timestamp.nullable(),
  seen: z.int(),
  hits: z.int(),
})

/** The one record of the clock: a frozen clock stands at `at`; a running one is `offset` ms off the machine's. */
const clock = z.object({ ...base, frozen: z.boolean(), at: timestamp.nullable(), offset: z.number() })

/** The one record of what fixtures set: setting name to value. wire: §8 */
const fixtureSettings = z.object({ ...base, values: freeForm })

export const recordSchemas = {
  organizations: organization,
  users: user,
  memberships: membership,
  courses: course,
  course_members: courseMember,
  modules: module,
  elements: element,
  activities: activity,
  apps: app,
  installations: installation,
  tokens: token,
  codes: code,
  sessions: session,
  deliveries: delivery,
  keys: key,
  silent_auth: silentAuth,
  faults: fault,
  clock,
  fixture_settings: fixtureSettings,
}

export type CollectionName = keyof typeof recordSchemas
export type RecordOf<C extends CollectionName> = z.infer<(typeof recordSchemas)[C]>
export type AnyRecord = RecordOf<CollectionName>

export type OrganizationRecord = RecordOf<'organizations'>
export type UserRecord = RecordOf<'users'>
export type MembershipRecord = RecordOf<'memberships'>
export type Role = MembershipRecord['role']
export type CourseRecord = RecordOf<'courses'>
export type CourseMemberRecord = RecordOf<'course_members'>
export type ModuleRecord = RecordOf<'modules'>
export type ElementRecord = RecordOf<'elements'>
export type ActivityRecord = RecordOf<'activities'>
export type AppRecord = RecordOf<'apps'>
export type InstallationRecord = RecordOf<'installations'>
export type TokenRecord = RecordOf<'tokens'>
export type CodeRecord = RecordOf<'codes'>
export type SessionRecord = RecordOf<'sessions'>
export type DeliveryRecord = RecordOf<'deliveries'>
export type AttemptRecord = z.infer<typeof attempt>
export type KeyRecord = RecordOf<'keys'>
export type SilentAuthRecord = RecordOf<'silent_auth'>
export type FaultRecord = RecordOf<'faults'>
