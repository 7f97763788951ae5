import * as z from 'zod'
import { settingsSchema } from '../settings.js'
import { freeForm, recordSchemas, roles } from './records.js'

/** A moment with `Z` or an offset; comes out as the wire writes it. wire: §1 */
const moment = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 date-time with Z or an offset' })
  .transform((text) => new Date(text).toISOString())
  .pipe(z.iso.datetime())

const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, hyphens or underscores')

/** What any record of a document may state; left out, it is generated. `sequence` is for exports. */
const generated = { created_at: moment.optional(), sequence: z.int().optional() }

const text = z.string()
const nullableText = text.nullable().optional()

const membershipDocument = z.strictObject({ user: text, role: z.enum(roles).default('learner'), ...generated })

/** Also the body of `POST /_admin/users`. control-api: "Shapes" */
export const userDocument = z.strictObject({
  id: id.optional(),
  /** Its form is judged with the references, so that a bad one hides no other fault. */
  email: text.meta({ format: 'email' }),
  first_name: text.default(''),
  last_name: text.default(''),
  full_name: text.optional(),
  email_verified: z.boolean().default(false),
  avatar: nullableText,
  last_seen: moment.nullable().optional(),
  organizations: z.array(z.strictObject({ slug: text, role: z.enum(roles).default('learner') })).optional(),
  ...generated,
})

const activityDocument = z
  .strictObject({
    id: id.optional(),
    member: text.optional(),
    members: z.array(text).min(1).optional(),
    status: recordSchemas.activities.shape.status.default('completed'),
    passed: z.boolean().nullable().default(null),
    score: z.number().nullable().default(null),
    timestamp: moment.optional(),
    completed_by: nullableText,
    responses: z.array(z.strictObject({ question: text.nullable(), value: z.unknown() })).default([]),
    ...generated,
  })
  .refine(({ member, members }) => (member === undefined) !== (members === undefined), {
    path: ['member'],
    error: 'exactly one of member and members must be given',
  })

/** The type's own rules are checked by `src/elements`. */
export const elementDocument = z.strictObject({
  id: id.optional(),
  type: text,
  name: z.unknown(),
  content: z.unknown().optional(),
  metadata: z.unknown().optional(),
  properties: z.unknown().optional(),
  module: text.optional(),
  position: z.int().min(0).optional(),
  cover: nullableText,
  updated_at: moment.optional(),
  activities: z.array(activityDocument).default([]),
  ...generated,
})

const moduleDocument = z.strictObject({
  id: id.optional(),
  name: text.min(1),
  metadata: freeForm.default({}),
  elements: z.array(elementDocument).default([]),
  ...generated,
})

const course = recordSchemas.courses.shape
const courseDocument = z.strictObject({
  id: id.optional(),
  name: text.min(1),
  status: course.status.default('published'),
  cover: nullableText,
  availability: course.availability.default('public'),
  visibility: course.visibility.default('listed'),
  start_date: nullableText,
  end_date: nullableText,
  currency: nullableText,
  price: z.number().nullable().optional(),
  free_label: nullableText,
  url: nullableText,
  public_url: nullableText,
  join_url: nullableText,
  metadata: freeForm.default({}),
  custom_fields: freeForm.default({}),
  members: z
    .array(
      z.union(
        [
          text,
          z.strictObject({
            user: text,
            joined_at: moment.optional(),
            custom_fields: freeForm.default({}),
            ...generated,
          }),
        ],
        { error: 'must be a user, or { user, joined_at, custom_fields }' },
      ),
    )
    .default([]),
  modules: z.array(moduleDocument).default([]),
  ...generated,
})

const organizationDocument = z.strictObject({
  slug: id,
  name: text.min(1).optional(),
  /** Left out: one is generated. Null: none has been generated yet. */
  api_key: text.min(1).nullable().optional(),
  members: z.array(membershipDocument).default([]),
  courses: z.array(courseDocument).default([]),
  ...generated,
})

/** Manifests are checked by `src/apps/manifest.ts`. */
export const appDocument = z
  .strictObject({
    client_id: text.min(1).optional(),
    client_secret: text.min(1).optional(),
    signing_secret: text.min(1).optional(),
    manifest: z.unknown().optional(),
    versions: z.array(z.unknown()).min(1).optional(),
    /** When each of `versions` was pushed: for exports. */
    pushed_at: z.array(moment).optional(),
    ...generated,
  })
  .refine(({ manifest, versions }) => (manifest === undefined) !== (versions === undefined), {
    path: ['manifest'],
    error: 'exactly one of manifest and versions must be given',
  })

const installationDocument = z.strictObject({
  id: id.optional(),
  app: text,
  organization: text,
  version: text.optional(),
  installer: nullableText,
  /** Null: no tokens are minted; an export has them in `tokens`. */
  credentials: z
    .strictObject({ access_token: text.min(1).optional(), refresh_token: text.min(1).optional() })
    .nullable()
    .optional(),
  announce: z.boolean().default(false),
  state: recordSchemas.installations.shape.state.default('installed'),
  scope: text.optional(),
  installed_at: moment.optional(),
  ended_at: moment.nullable().optional(),
  ...generated,
})

/** The fixture document: a whole world, or a part to add to one. fixtures: all of it */
export const fixtureDocument = z.strictObject({
  $schema: text.optional(),
  settings: settingsSchema.optional(),
  users: z.array(userDocument).default([]),
  organizations: z.array(organizationDocument).default([]),
  apps: z.array(appDocument).default([]),
  installations: z.array(installationDocument).default([]),
  clock: z
    .strictObject({ frozen: z.boolean().default(true), now: moment.optional(), offset: z.number().optional() })
    .optional(),
  keys: z.array(recordSchemas.keys).default([]),
  tokens: z.array(recordSchemas.tokens).default([]),
  codes: z.array(recordSchemas.codes).default([]),
  sessions: z.array(recordSchemas.sessions).default([]),
  deliveries: z.array(recordSchemas.deliveries).default([]),
  silent_auth: z.array(recordSchemas.silent_auth).default([]),
  faults: z.array(recordSchemas.faults).default([]),
  sequence: z.strictObject({ last: z.int().min(0), draws: z.int().min(0) }).optional(),
})

export type FixtureDocument = z.input<typeof fixtureDocument>
export type ReadDocument = z.output<typeof fixtureDocument>
export type ElementDocument = z.output<typeof elementDocument>
