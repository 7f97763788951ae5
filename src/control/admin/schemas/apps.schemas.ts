import * as z from 'zod'
import type { World } from '../../../emulator/world/world.js'
import { manifestSchema } from '../../../platform/apps/manifest-schema.js'
import type { CallSchemas } from '../call.js'
import { name, strict } from '../schema-parts.js'

const app = z
  .object({
    id: z.string().describe("The manifest's id"),
    client_id: z.string(),
    name: z.string(),
    signing_secret: z.string(),
    versions: z.array(
      z.object({ version: z.string(), manifest: z.record(z.string(), z.unknown()), pushed_at: z.string() }),
    ),
  })
  .meta({ id: 'App' })

/** What the platform would refuse in a manifest that the emulator lets pass. wire: §7 "plain http" */
const warnings = z
  .array(z.object({ path: z.string(), message: z.string() }))
  .optional()
  .describe('What the platform would refuse in this manifest, if anything')

const manifestIn = ({ settings }: World) => manifestSchema(settings.trust_hosts)
const manifest = manifestSchema([]).meta({ id: 'Manifest' })

const newApp = <S extends typeof manifest>(manifest: S) =>
  strict({
    manifest,
    client_id: name.optional(),
    client_secret: name.optional(),
    signing_secret: name.optional(),
  })

/** control-api: "Organizations, users, apps" */
export const appSchemas = {
  listApps: { answer: app },
  createApp: {
    body: newApp(manifest),
    bodyIn: (world) => newApp(manifestIn(world)),
    answer: app.extend({ client_secret: z.string(), warnings }).meta({ id: 'CreatedApp' }),
  },
  getApp: { answer: app },
  deleteApp: { answer: app },
  pushManifest: { body: manifest, bodyIn: manifestIn, answer: app.extend({ warnings }).meta({ id: 'PushedApp' }) },
} as const satisfies Record<string, CallSchemas>
