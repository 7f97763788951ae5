import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type ParseError, parse } from 'jsonc-parser'
import * as z from 'zod'
import { withoutByteOrderMark } from '../../../foundation/schema/byte-order-mark.js'
import { didYouMean } from '../../../foundation/schema/did-you-mean.js'
import { describeIssue, pathIssuesOf } from '../../../foundation/schema/issue.js'
import { describeParseError, lineAt } from '../../../foundation/schema/json-text.js'
import { realDuration } from '../../../foundation/schema/schema-words.js'
import { AuditFailure } from './failures.js'

const url = z
  .string()
  .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), 'must be an http or https URL')
const ofOrganization = url.refine((text) => text.includes('{organization}'), 'must contain {organization}')
const status = z.int().min(100).max(599)
const pointer = z.string().regex(/^(\/.*)?$/, 'must be a JSON pointer such as "/sub"')
const statuses = z.union([status, z.array(status).min(1)], 'must be a status from 100 to 599, or an array of them')
const response = z.strictObject({ status: statuses })
const headers = z.record(z.string(), z.string())
const paths = z.array(z.string().min(1)).min(1)

/** The audit's file. A key that is missing skips the checks that need it. audit: "Running it" */
export const auditFile = z.strictObject({
  $schema: z.string().optional(),
  app: z.string().min(1).describe('Manifest id or client id; webhook, callback and scopes come from the manifest'),
  start: url
    .optional()
    .describe('URL that starts the sign-in; {organization} becomes the slug of the organization of the person'),
  whoami: z
    .strictObject({
      url,
      signed_in: z.strictObject({
        ...response.shape,
        user: pointer.describe('JSON pointer to the ID of the account, such as "/sub"'),
      }),
      signed_out: response,
    })
    .optional()
    .describe('Shows who is signed in'),
  probe: z
    .strictObject({
      url: ofOrganization,
      ok: response.default({ status: 200 }),
      not_installed: response.optional(),
      headers: headers.optional(),
      as: z
        .literal('signed_in')
        .optional()
        .describe("Sends the cookies of a sign-in as that organization's owner, to `list` too; without it, no cookies"),
    })
    .optional()
    .describe('GET makes the app call /v0 for that organization'),
  list: z
    .strictObject({
      url: ofOrganization,
      count: pointer.describe('JSON pointer to a number or an array; "/length" after an array is its length'),
      of: z.enum(['elements', 'courses', 'members']).default('elements').describe('The records that it lists'),
      headers: headers.optional(),
    })
    .optional()
    .describe('GET returns every element (course, member) of that organization'),
  logout: z
    .strictObject({ url, method: z.enum(['GET', 'POST', 'DELETE']).default('POST') })
    .optional()
    .describe('Ends the session'),
  data: paths.optional().describe('Files and folders in which the app stores data; searched for tokens in clear text'),
  restart: z.string().min(1).optional().describe('Shell command that restarts the app'),
  logs: paths.optional().describe('Log files of the app; searched for the secrets of the run'),
  background: realDuration.default(2_000).describe('How long background work may take after an acknowledgement'),
  accept: z
    .record(z.string(), z.string().regex(/\S/, 'must be a reason'))
    .default({})
    .describe('Known failures by ID of a check or a case of the sweep (`flow/point/trouble`), each with its reason'),
})

/** Fills a URL of the file in. @param spelling of the slug, as it is in the URL. */
export const inOrganization = (template: string, slug: string, spelling = encodeURIComponent(slug)): string =>
  template.replaceAll('{organization}', spelling)

/** The file's content as written, before defaults. */
export type AuditFileInput = z.input<typeof auditFile>
export type AuditFile = z.output<typeof auditFile>
export type FileKey = Exclude<keyof AuditFile, '$schema' | 'app' | 'background' | 'accept'>

/**
 * Reads the file, or takes its content. Returns also the folder that its paths are relative to.
 * @param checks ids that `accept` may name.
 * @param ofContent the folder for a content; the working folder when left out.
 * @throws AuditFailure naming each invalid field, or the line where it stops being JSON.
 */
export async function readAuditFile(given: AuditFileInput | string, checks: string[], ofContent = process.cwd()) {
  if (typeof given !== 'string') return { file: validate(given, 'the audit', checks), folder: ofContent }
  const text = await readFile(given, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw new AuditFailure(`${given} cannot be read: ${error.message}`)
    const way =
      '`mockademy init` writes mockademy.audit.json; { "app": "<manifest id>" } is enough for an audit, and a sweep needs `probe` with `not_installed`, too'
    throw new AuditFailure(`${given}: file not found. ${way}`)
  })
  const errors: ParseError[] = []
  const value: unknown = parse(withoutByteOrderMark(text), errors, { allowTrailingComma: true })
  const [error] = errors
  if (error) {
    const line = lineAt(text, error.offset)
    throw new AuditFailure(`${given}: line ${line}: is not valid JSON: ${describeParseError(error)}`)
  }
  return { file: validate(value, given, checks), folder: dirname(resolve(given)) }
}

function validate(value: unknown, name: string, checks: string[]): AuditFile {
  const read = auditFile.safeParse(value, { error: describeIssue })
  const issues = read.error ? pathIssuesOf(read.error) : []
  const unknown = Object.keys(read.data?.accept ?? {}).filter((id) => !checks.includes(id) && !id.includes('/'))
  const { probe, start } = read.data ?? {}
  const found = [
    ...(probe?.as && !start ? ['probe.as: needs "start", where the owner signs in'] : []),
    ...issues.map(({ path, message }) => `${path.join('.')}${path.length > 0 ? ': ' : ''}${message}`),
    ...unknown.map((id) => `accept.${id}: is not a check${didYouMean(id, checks)}`),
  ]
  if (read.data && found.length === 0) return read.data
  throw new AuditFailure(`${name} is not valid:${found.map((line) => `\n  ${line}`).join('')}`)
}
