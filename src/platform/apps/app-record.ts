import type { ZodType } from 'zod'
import type { OutputOf, SchemaWords } from '../../foundation/schema/lazy-schema.js'
import { kind, recordSchema } from '../../foundation/store/kind.js'
import type { Manifest } from './manifest-schema.js'

/** The credentials of a new app. `mockademy env` prints each on a line of its own. control-api: "CLI" */
export const appCredentials = ({ z, secret, oneLine }: SchemaWords) => {
  const given = (schema: typeof secret, what: string) =>
    schema
      .refine(...oneLine)
      .optional()
      .describe(`${what}; generated when left out`)
  return {
    client_id: given(z.string().min(1), 'Client id'),
    client_secret: given(secret, 'Client secret'),
    signing_secret: given(secret, 'Signing secret'),
  }
}

/** An app in a fixture document; its manifests are checked by `manifestSchema`. fixtures: `apps` */
export const appDocument = (words: SchemaWords) => {
  const { z, moment, generated } = words
  return z
    .strictObject({
      ...appCredentials(words),
      manifest: z.unknown().optional(),
      versions: z.array(z.unknown()).min(1).optional(),
      /** The times at which `versions` were pushed: for exports. */
      pushed_at: z.array(moment).optional(),
      ...generated,
    })
    .refine(({ manifest, versions }) => (manifest === undefined) !== (versions === undefined), {
      path: ['manifest'],
      error: 'exactly one of manifest and versions must be given',
    })
}

/** Records keep a manifest that its schema has let through. */
const appVersion = ({ z, timestamp, freeForm }: SchemaWords) =>
  z.object({ version: z.string(), manifest: freeForm as unknown as ZodType<Manifest>, pushed_at: timestamp })

/** `id` is the manifest's id. `versions` in the order in which they were pushed. spec: §9 */
export const appRecord = recordSchema((words) => ({
  client_id: words.z.string(),
  client_secret: words.z.string(),
  signing_secret: words.z.string(),
  versions: words.z.array(appVersion(words)).min(1),
}))

export type AppRecord = OutputOf<typeof appRecord>

export const appKind = kind(appRecord, {
  indexes: {
    client_id: { key: (it) => it.client_id, unique: true },
    client_secret: { key: (it) => it.client_secret, unique: true },
    signing_secret: { key: (it) => it.signing_secret, unique: true },
  },
  counted: true,
})
