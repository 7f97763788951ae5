import * as z from 'zod'
import { documentId, generated, moment } from '../../foundation/schema/document-fields.js'
import { installationRecord } from './installation-record.js'

/** An installation in a fixture document. fixtures: "Installations" */
export const installationDocument = z.strictObject({
  id: documentId.optional(),
  app: z.string(),
  organization: z.string(),
  version: z.string().optional(),
  installer: z.string().nullable().optional(),
  /** Null: no tokens are minted; an export has them in `tokens`. */
  credentials: z
    .strictObject({ access_token: z.string().min(1).optional(), refresh_token: z.string().min(1).optional() })
    .nullable()
    .optional(),
  announce: z.boolean().default(false),
  state: installationRecord.shape.state.default('installed'),
  scope: z.string().optional(),
  installed_at: moment.optional(),
  ended_at: moment.nullable().optional(),
  ...generated,
})
