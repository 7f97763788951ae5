import * as z from 'zod'
import { duration, realDuration } from '../../foundation/schema/duration-schema.js'
import type { CamelCase } from '../../foundation/schema/options.js'
import { issueOfCertificates } from '../../foundation/tls/certificate-file.js'
import { CLOCK_RANGE, isClockMoment } from './clock-schemas.js'
import { type SettingName, settingTable } from './setting-table.js'
import { typeNameMap } from './type-name-map.js'

const origin = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL', abort: true })
  .refine((url) => new URL(url).pathname === '/' && !/[?#]/.test(url), 'must be an origin: no path, query or fragment')
  .transform((url) => new URL(url).origin)
const count = z.int().min(1)
/** Said at once: each webhook would fail for it. wire: §8 */
function reportUnreadable(file: string, context: z.RefinementCtx): void {
  const message = issueOfCertificates(file)
  if (message !== undefined) context.addIssue({ code: 'custom', message })
}
const headerPrefix = z.string().regex(/^[A-Za-z0-9-]+$/, 'must be letters, digits and hyphens')

const schemas = {
  port: z.int().min(0).max(65_535),
  host: z.string().min(1),
  https: z.boolean(),
  app_url: origin,
  browser_url: origin,
  trust_hosts: z.array(z.string().min(1)),
  store: z.string().min(1),
  seed: z.coerce.string().min(1),
  now: z.iso.datetime({ offset: true }).refine(isClockMoment, CLOCK_RANGE),
  page_size: count,
  rate_limit: count,
  access_token_ttl: duration,
  id_token_ttl: duration,
  refresh_token_ttl: duration,
  code_ttl: duration,
  ack_window: realDuration,
  attempt_timeout: realDuration,
  retry_schedule: z.array(duration),
  header_prefix: headerPrefix,
  allow_public_webhooks: z.boolean(),
  webhook_ca: z
    .string()
    .min(1)
    .max(4096, { abort: true, error: 'must have at most 4096 characters' })
    .superRefine(reportUnreadable),
  element_type_names: typeNameMap,
  admin_token: z.string().min(1),
  journal_size: z.int().min(0),
  journal_admin: z.boolean(),
  retention: z.int().min(0),
  worlds: count.max(256),
} satisfies Record<SettingName, z.ZodType>

type Schemas = typeof schemas

/** Settings as someone gave them, checked: durations in milliseconds, origins without a trailing slash. */
export type GivenSettings = { [S in SettingName]?: z.output<Schemas[S]> }
/** Settings as options of `startEmulator`, still to be checked: `pageSize` for `page_size`. */
export type SettingOptions = { [S in SettingName as CamelCase<S>]?: z.input<Schemas[S]> | undefined }

/** The settings of wire: §8. */
export const settingsSchema = z.strictObject(
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      (schema as z.ZodType).meta({ description: settingTable[name as SettingName].describe }).optional(),
    ]),
  ) as unknown as { [S in SettingName]: z.ZodOptional<Schemas[S]> },
)
