import * as z from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { sourceFields } from '../../emulator/world/documentation.js'
import type { World } from '../../emulator/world/world.js'
import type { LifecycleEvent } from './lifecycle-events.js'
import { headerNames } from './sign.js'

const organization = z.object({ id: z.string().describe('Slug'), name: z.string() }).meta({ id: 'EventOrganization' })

const app = z
  .object({ id: z.string().describe('Manifest id'), name: z.string(), version: z.string() })
  .meta({ id: 'EventApp' })

const installer = z.object({ id: z.string(), email: z.string(), full_name: z.string() }).meta({ id: 'Installer' })

export const credentials = z
  .object({
    client_id: z.string(),
    access_token: z.string(),
    refresh_token: z.string(),
    token_type: z.string(),
    expires_in: z.int().describe('Seconds'),
    expires_at: z.iso.datetime(),
    scope: z.string(),
  })
  .meta({ id: 'Credentials', description: 'The tokens of a new installation' })

/** The event with its data in an envelope. wire: §7 "envelope" */
const envelope = <D extends z.ZodType>(type: LifecycleEvent, data: D) =>
  z.object({
    id: z.string().describe('Id of the event, the same on every attempt'),
    type: z.literal(type),
    created_at: z.iso.datetime(),
    installation_id: z.string(),
    data,
  })

/** The bodies of the platform's own webhooks. spec: §6, wire: §7 */
const events = {
  'app.installed': {
    summary: 'An organization installed the app, or upgraded it',
    body: envelope(
      'app.installed',
      z.object({
        organization,
        app,
        installer,
        credentials: credentials.optional().describe('Present when the manifest declares `oauth.install`'),
      }),
    ).meta({ id: 'AppInstalled' }),
  },
  'app.uninstalled': {
    summary: 'An organization uninstalls the app',
    body: envelope('app.uninstalled', z.object({ organization, app })).meta({ id: 'AppUninstalled' }),
  },
} as const satisfies Record<LifecycleEvent, { summary: string; body: z.ZodType }>

/** Returns the webhooks as OpenAPI describes them, with the headers that are in force. */
export function describeWebhooks({ settings }: Pick<World, 'settings'>): ZodOpenApiPathsObject {
  const names = headerNames(settings.header_prefix)
  const header = z.object({
    [names.signature]: z
      .string()
      .meta({ description: "Hex HMAC-SHA256 of the raw body with the app's signing secret. Verify it first" }),
    [names.idempotencyKey]: z.string().meta({ description: 'Id of the event, the same on every attempt' }),
  })
  const pathItem = (type: string, { summary, body }: { summary: string; body: z.ZodType }) => ({
    post: {
      operationId: type.replace(/\W(\w)/g, (_, letter: string) => letter.toUpperCase()),
      summary,
      description: `${summary}. Posted to the \`webhook.url\` of the manifest.`,
      tags: ['webhooks'],
      ...sourceFields('spec: §6'),
      security: [],
      requestParams: { header },
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
      responses: {
        '2XX': { description: 'Acknowledged: any other response is a failure, and the event is sent again' },
      },
    },
  })
  return Object.fromEntries(Object.entries(events).map(([type, event]) => [type, pathItem(type, event)]))
}
