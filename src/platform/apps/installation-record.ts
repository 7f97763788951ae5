import type { OutputOf, SchemaWords } from '../../foundation/schema/lazy-schema.js'
import { kind, recordSchema } from '../../foundation/store/kind.js'

export const installationStates = ['installed', 'uninstalling', 'uninstalled', 'upgraded'] as const

/** An installation in a fixture document. fixtures: "Installations" */
export const installationDocument = ({ z, moment, documentId, bearerCredential, secret, generated }: SchemaWords) =>
  z.strictObject({
    id: documentId.optional(),
    app: z.string(),
    organization: z.string(),
    version: z.string().optional(),
    installer: z.string().nullable().optional(),
    /** Null: no tokens are minted; an export has them in `tokens`. */
    credentials: z
      .strictObject({ access_token: bearerCredential.optional(), refresh_token: secret.optional() })
      .nullable()
      .optional(),
    announce: z.boolean().default(false),
    state: z.enum(installationStates).default('installed'),
    scope: z.string().optional(),
    installed_at: moment.optional(),
    ended_at: moment.nullable().optional(),
    ...generated,
  })

/** `app` is the manifest id, `organization` the slug, `installer` a user id, `scope` space-separated. spec: §3 */
export const installationRecord = recordSchema(({ z, timestamp }) => ({
  app: z.string(),
  organization: z.string(),
  version: z.string(),
  installer: z.string().nullable(),
  state: z.enum(installationStates),
  scope: z.string(),
  installed_at: timestamp,
  ended_at: timestamp.nullable(),
}))

export type InstallationRecord = OutputOf<typeof installationRecord>

/** Returns true while the app is installed or being uninstalled with its tokens still valid. spec: §3 */
export const isCurrent = (installation: Pick<InstallationRecord, 'state'> | undefined): boolean =>
  installation?.state === 'installed' || installation?.state === 'uninstalling'

export const installationKind = kind(installationRecord, {
  indexes: {
    app: { key: (it) => it.app },
    organization: { key: (it) => it.organization },
    /** `<app>/<organization>`: the one that is installed or uninstalling there. */
    current: { key: (it) => (isCurrent(it) ? `${it.app}/${it.organization}` : null) },
    /** `<app>/<version>`: those of that version that are installed or uninstalling. */
    current_version: { key: (it) => (isCurrent(it) ? `${it.app}/${it.version}` : null) },
    /** `all`: those whose tokens are still to be revoked. */
    uninstalling: { key: (it) => (it.state === 'uninstalling' ? 'all' : null) },
  },
  ownedBy: { organizations: 'organization', apps: 'app' },
  counted: true,
})
