import * as z from 'zod'
import { generated, moment } from '../../foundation/schema/document-fields.js'

/** An app in a fixture document; its manifests are checked by `manifestSchema`. fixtures: `apps` */
export const appDocument = z
  .strictObject({
    client_id: z.string().min(1).optional(),
    client_secret: z.string().min(1).optional(),
    signing_secret: z.string().min(1).optional(),
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
