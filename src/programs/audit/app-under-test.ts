import { compareBuild } from 'semver'
import * as z from 'zod'
import type { Admin } from '../../control/client/connect.js'
import { AdminError } from '../../control/client/errors.js'
import { AuditFailure } from './audit-failure.js'
import type { ManifestPart } from './needs.js'

/** What the audit knows of the app: its registration and its newest manifest. */
export interface AppUnderTest {
  id: string
  clientId: string
  signingSecret: string
  /** The version that checks install. */
  version: string
  manifest: Manifest
  /** Empty when the manifest has none; the checks that need it are skipped then. */
  webhook: string
  callbacks: string[]
  parts: ReadonlySet<ManifestPart>
}

/** What the audit reads of a manifest; the emulator has judged the rest. */
const manifestShape = z.looseObject({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  webhook: z.looseObject({ url: z.string() }).optional(),
  oauth: z
    .looseObject({
      install: z.literal(true).optional(),
      authorize: z.looseObject({ redirect_uris: z.array(z.string()) }).optional(),
    })
    .optional(),
  post_install_action: z.looseObject({ url: z.string() }).optional(),
})
type Manifest = z.output<typeof manifestShape>

/** @throws AuditFailure when there is no such app. */
export async function findAppUnderTest(admin: Admin, name: string): Promise<AppUnderTest> {
  const app = await admin.getApp(name).catch((error: unknown) => {
    if (error instanceof AdminError && error.status === 404) throw new AuditFailure(`app: ${error.message}`)
    throw error
  })
  const newest = app.versions.toSorted((a, b) => compareBuild(a.version, b.version)).at(-1)
  if (!newest) throw new AuditFailure(`app: ${name} has no version`)
  const manifest = manifestShape.parse(newest.manifest)
  const { webhook, oauth, post_install_action } = manifest
  const parts: [ManifestPart, unknown][] = [
    ['webhook', webhook],
    ['oauth.install', oauth?.install],
    ['oauth.authorize', oauth?.authorize],
    ['post_install_action', post_install_action],
  ]
  return {
    id: app.id,
    clientId: app.client_id,
    signingSecret: app.signing_secret,
    version: newest.version,
    manifest,
    webhook: webhook?.url ?? '',
    callbacks: oauth?.authorize?.redirect_uris ?? [],
    parts: new Set(parts.filter(([, declared]) => declared).map(([part]) => part)),
  }
}
