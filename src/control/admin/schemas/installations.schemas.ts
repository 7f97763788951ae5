import * as z from 'zod'
import { installationStates } from '../../../platform/apps/installation-record.js'
import type { CallSchemas } from '../call.js'
import { strict } from '../schema-parts.js'
import { delivery } from './deliveries.schemas.js'

const installation = z
  .object({
    id: z.string(),
    app: z.string().describe('Manifest id'),
    organization: z.string(),
    version: z.string(),
    installer: z.string().nullable().describe('User id'),
    state: z.enum(installationStates),
    scope: z.string(),
    installed_at: z.string(),
    ended_at: z.string().nullable(),
  })
  .meta({ id: 'Installation' })

const credentials = z
  .object({
    client_id: z.string(),
    access_token: z.string(),
    refresh_token: z.string(),
    token_type: z.string(),
    expires_in: z.number(),
    expires_at: z.string(),
    scope: z.string(),
  })
  .meta({ id: 'Credentials' })

const installResult = z
  .object({
    installation,
    delivery: delivery.nullable().describe('Null when the manifest has no webhook'),
    redirect_url: z.string().nullable().describe('Null when the manifest has no post_install_action'),
    credentials: credentials.nullable().describe('Null when the manifest has no oauth.install'),
  })
  .meta({ id: 'InstallOutcome' })

/** control-api: "Installations" */
export const installationSchemas = {
  listInstallations: {
    query: strict({
      app: z.string().optional().describe('Manifest id or client id'),
      organization: z.string().optional().describe('Slug'),
      state: z.enum(installationStates).optional().describe('What has become of it'),
    }),
    answer: installation,
  },
  install: {
    body: strict({
      app: z.string().describe('Manifest id or client id'),
      organization: z.string().describe('Slug'),
      installer: z.string().optional().describe("A user's id or email; the first owner when left out"),
      version: z.string().optional().describe('The newest when left out'),
      announce: z.boolean().optional().describe('False: no webhook is sent'),
    }),
    answer: installResult,
  },
  getInstallation: { answer: installation },
  upgrade: {
    body: strict({ version: z.string().optional().describe('The newest when left out') }),
    answer: installResult,
  },
  uninstall: {
    answer: z.object({ installation, delivery: delivery.nullable() }).meta({ id: 'UninstallOutcome' }),
  },
} as const satisfies Record<string, CallSchemas>
