import { compile, type JSONSchema } from 'json-schema-to-typescript'
import { callNames } from '../../src/control/admin/call-table.js'
import { settingsSchema } from '../../src/emulator/world/setting-schemas.js'
import {
  type kindsOfText,
  type SettingName,
  settingDefaults,
  settingTable,
} from '../../src/emulator/world/setting-table.js'
import { camelCase } from '../../src/foundation/schema/options.js'
import { scopes } from '../../src/platform/authentication/scopes.js'
import { lifecycleEvents } from '../../src/platform/webhooks/lifecycle-events.js'
import { auditFile } from '../../src/programs/audit/app/file.js'
import { arrayOf, definitions, type Json, literalUnion, schemaOf } from './wire-types/definitions.js'
import { methodOf } from './wire-types/methods.js'
import { faultTypes, fixtureElementTypes, nameValues, scenarioTypes } from './wire-types/written-types.js'

/**
 * The public types that are made of schemas, for `npm run build`. In `src` the compiler infers them from zod's
 * schemas; users, who do not have zod, get them with names and documentation. `scripts/build-declarations.js` puts this
 * module in the place of those that infer.
 */

const orOther = (names: string[]) => `${literalUnion(names)} | (string & {})`

/** Gives a type of `definitions` a documentation comment with an example. */
function describe(name: string, description: string, example: string): void {
  Object.assign(definitions[name] ?? {}, { description: `${description}\n@example\nconst value: ${name} = ${example}` })
}

const methods = callNames.map(methodOf)
const faults = faultTypes()
const elements = fixtureElementTypes()
const scenarios = scenarioTypes()
definitions.AuditFileInput = schemaOf(auditFile, 'input')
nameValues()
const { properties: { worlds: _, ...settings } = {} } = schemaOf(settingsSchema, 'input')
const settingSchemas = Object.entries(settings as Record<SettingName, Json>) as [SettingName, Json][]
const settingTypes: { [Kind in keyof typeof kindsOfText]?: string } = { duration: 'number', durations: 'number[]' }
definitions.Settings = {
  type: 'object',
  description: 'The settings of an emulator; durations are milliseconds',
  properties: Object.fromEntries(
    settingSchemas.map(([name, schema]) => {
      const tsType = settingTypes[settingTable[name].kind]
      return [name, tsType ? { description: schema.description, tsType } : schema] as [string, Json]
    }),
  ),
  required: Object.keys(settingDefaults),
}
definitions.SettingOptions = {
  type: 'object',
  properties: Object.fromEntries(
    settingSchemas.map(([name, { description, ...schema }]) => [
      camelCase(name),
      { description, anyOf: [schema, { tsType: 'undefined' }] } as Json,
    ]),
  ),
}
describe(
  'FixtureDocument',
  'A world as a document.',
  "{ organizations: [{ slug: 'acme', name: 'Acme', api_key: 'key_acme' }] }",
)
describe('AuditFileInput', 'The file of an audit.', "{ app: 'notes', start: 'http://localhost:3000/login' }")
describe(
  'SettingOptions',
  'Settings; durations are milliseconds or text such as `5m`.',
  "{ pageSize: 20, ackWindow: '500ms' }",
)
// These are written by hand, of parts that are not.
delete definitions.State
delete definitions.NewFault
delete definitions.ScenarioStep
// Lists have their other forms over HTTP only.
delete definitions.ListRequestsQuery?.properties?.format
Object.assign(definitions.Scenario?.properties ?? {}, { steps: arrayOf('ScenarioStep') })
const root = { $defs: definitions, type: 'object', additionalProperties: false } as unknown as JSONSchema
const compiled = await compile(root, 'Unused', {
  bannerComment: '',
  unreachableDefinitions: true,
  ignoreMinAndMaxItems: true,
  additionalProperties: false,
  style: { semi: false, singleQuote: true, printWidth: 120 },
})

export default `import type { ReportOptions } from '../run-report/run-report.js'
import type { StreamEvent, StreamOptions } from './event-stream.js'

/** A duration: milliseconds, or text such as \`90s\`, \`1h\`, \`30d\`. */
export type Duration = number | \`\${number}\${'ms' | 's' | 'm' | 'h' | 'd'}\`

/** A permission of a manifest: those that map to a scope, or any other. */
export type Permission = ${orOther(Object.keys(scopes))}

/** The type of a webhook event: the platform's own, or any other. */
export type EventType = ${orOther(Object.keys(lifecycleEvents))}

/**
 * The control API: a method for each of its calls.
 * @throws AdminError from each method when the call is refused.
 * @throws UnreachableError from each method when no emulator responds.
 * @example
 * const { credentials } = await admin.install({ app: 'notes', organization: 'acme' })
 * await admin.advanceClock('61m')
 */
export interface Admin {
${methods.join('\n')}
  /** Yields what happens from now on, or since an event, for as long as it is read. */
  stream(options?: StreamOptions): AsyncGenerator<StreamEvent>
  /**
   * Writes a report of what has happened since the last reset: one HTML file that explains the run. Secrets are redacted
   * as in the journal; texts of the options are written as they are.
   * @param file its path; one that ends with a slash is a folder, in which the file is named after the title.
   * @returns the path of the file.
   * @throws InvalidOptionsError for a \`file\` that is no path, and options that do not exist or have invalid values.
   * @example
   * await admin.report('reports/', { title: 'signs in' })
   */
  report(file: string, options?: ReportOptions): Promise<string>
  /** Makes a sandbox, as \`createSandbox\` does, whose methods work on its organization alone. */
  sandbox(options?: CreateSandboxBody): Promise<BoundSandbox>
}

/** The parameters of a call that remain when its organization is known. */
type Bound<Name extends Exclude<keyof Admin, 'stream' | 'report' | 'sandbox'>> = Omit<
  NonNullable<Parameters<Admin[Name]>[0]>,
  'organization' | 'token' | 'all'
>

/**
 * An organization for one test, with calls that work on it alone.
 * @example
 * const sandbox: BoundSandbox = await admin.sandbox({ app: 'notes' })
 * await sandbox.clock.advance('61m')
 * await sandbox.end()
 */
export interface BoundSandbox extends NewSandbox {
  /** Injects a fault, which matches requests of this organization alone. */
  fault(fault: NewFault): Promise<CallResult<'addFault'>>
  requests(query?: Bound<'listRequests'>): Promise<CallResult<'listRequests'>>
  deliveries(query?: Bound<'listDeliveries'>): Promise<CallResult<'listDeliveries'>>
  findings(query?: Bound<'listFindings'>): Promise<CallResult<'listFindings'>>
  settled(query?: Bound<'deliveriesSettled'>): Promise<CallResult<'deliveriesSettled'>>
  /** Makes its tokens expire: access tokens, unless \`kind\` says otherwise. */
  expireTokens(selection?: Bound<'expireTokens'>): Promise<CallResult<'expireTokens'>>
  /** Signs the person of a role in. @returns the cookie of a new session. */
  sessionFor(role: keyof NewSandbox['people']): Promise<CallResult<'signIn'>['cookie']>
  /** The clock of its organization. */
  clock: {
    /** Returns its time, as an ISO 8601 date-time. */
    now(): Promise<string>
    advance(by: Duration): Promise<CallResult<'advanceClock'>>
    freeze(at?: string): Promise<CallResult<'freezeClock'>>
    resume(): Promise<CallResult<'resumeClock'>>
  }
  /** Ends it: its organization and all that was made in it are deleted. */
  end(): Promise<void>
}

/** Result of a control call. */
export type CallResult<Name extends Exclude<keyof Admin, 'stream'>> = Awaited<ReturnType<Admin[Name]>>

${faults}

${elements}

${scenarios}

${compiled
  .replace(/export interface Unused \{[^}]*\}\s*/, '')
  .replace(/ \*\n \* This interface was referenced by `Unused`'s JSON-Schema\n \* via the `definition` "\w+"\.\n/g, '')
  .replace(/\/\*\*\s*\n \* This interface was referenced by `Unused`[\s\S]*?\*\/\n/g, '')
  .trim()}
`
