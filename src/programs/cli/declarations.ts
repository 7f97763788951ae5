import { readFileSync } from 'node:fs'
import { compile, type JSONSchema } from 'json-schema-to-typescript'
import { callNames } from '../../control/admin/call-table.js'
import { settingsSchema } from '../../emulator/world/setting-schemas.js'
import { camelCase } from '../../foundation/schema/options.js'
import { manifestSchema } from '../../platform/apps/manifest-schema.js'
import { scopes } from '../../platform/authentication/scopes.js'
import { lifecycleEvents } from '../../platform/webhooks/lifecycle-events.js'
import { severities } from '../audit/checks/check.js'
import { auditFile } from '../audit/context/file.js'
import { outcomes } from '../audit/report.js'
import { arrayOf, definitions, literalUnion, schemaOf, typeNameFor } from './declarations/definitions.js'
import { methodOf } from './declarations/methods.js'
import { faultTypes, fixtureElementTypes, nameValues, scenarioTypes } from './declarations/written-types.js'

/**
 * Prints the declarations of the package, for `npm run build`: everything that users see of it has a name and its
 * documentation, and nothing of the inside shows. It is made of the tables and schemas that the program itself goes by.
 * `docs/api.d.ts` is a copy of it, so that every change of what is public is seen. With `vitest`, those of
 * `mockademy/vitest`.
 */

const orOther = (names: string[]) => `${literalUnion(names)} | (string & {})`

/** An interface as it stands in a file of src, its documentation too. */
function interfaceIn(file: string, name: string): string {
  const text = readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8')
  const [found] =
    new RegExp(`(?:/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\s*export )?interface ${name}\\b[\\s\\S]*?\\n}`).exec(text) ?? []
  if (!found) throw new Error(`${file} has no interface ${name} with a comment`)
  return found
}

/** What `mockademy/vitest` exports. */
const vitest = () => `// Made by \`npm run build\`.
import type { TestAPI } from 'vitest'
import type { Emulator, StartOptions } from './index.js'

${interfaceIn('vitest.ts', 'EmulatorFixtures')}

/** Vitest's \`test\` with an emulator, reset before each test. */
export declare const emulatorTest: TestAPI<EmulatorFixtures>
`

const methods = callNames.map(methodOf)
const faults = faultTypes()
const elements = fixtureElementTypes()
const scenarios = scenarioTypes()
typeNameFor('AuditFileInput', auditFile, 'input')
definitions.Manifest = schemaOf(manifestSchema([]), 'input')
nameValues()
const { properties: settings = {} } = schemaOf(settingsSchema, 'input')
definitions.SettingOptions = {
  type: 'object',
  properties: Object.fromEntries(Object.entries(settings).map(([name, schema]) => [camelCase(name), schema])),
}
// Both are written by hand, of parts that are not; what names them means those.
delete definitions.State
delete definitions.NewFault
delete definitions.ScenarioStep
Object.assign(definitions.Scenario?.properties ?? {}, { steps: arrayOf('ScenarioStep') })
const root = { $defs: definitions, type: 'object', additionalProperties: false } as unknown as JSONSchema
const compiled = await compile(root, 'Unused', {
  bannerComment: '',
  unreachableDefinitions: true,
  ignoreMinAndMaxItems: true,
  additionalProperties: false,
  style: { semi: false, singleQuote: true, printWidth: 120 },
})

const index = () => `// Made by \`npm run build\` of the tables and schemas of src; docs/api.d.ts is a copy.
/// <reference lib="esnext.disposable" />

declare global {
  /** Whatever the project's own types say that it is: those of Node.js or of the DOM, or none. */
  interface AbortSignal {}
}

/** A duration: milliseconds, or text such as \`90s\`, \`1h\`, \`30d\`. */
export type Duration = number | \`\${number}\${'ms' | 's' | 'm' | 'h' | 'd'}\`

/** A permission of a manifest: those that map to a scope, or any other. */
export type Permission = ${orOther(Object.keys(scopes))}

/** The type of a webhook event: the platform's own, or any other. */
export type EventType = ${orOther(Object.keys(lifecycleEvents))}

/** Documents, or paths of files that hold one. */
export type Fixtures = (FixtureDocument | string)[] | FixtureDocument | string

/** The control API: a method for each of its calls. Each rejects with an \`AdminError\` or an \`UnreachableError\`. */
export interface Admin {
${methods.join('\n')}
}

${['WorldOptions', 'FreshStart', 'ResumedStart']
  .map((name) => interfaceIn('control/start/launch-options.ts', name))
  .join('\n\n')}

/** Options of \`startEmulator\`: every setting, where the world comes from, and one of \`fresh\` and \`resume\`. */
export type StartOptions = WorldOptions & (FreshStart | ResumedStart)

${interfaceIn('control/start/start-emulator.ts', 'Emulator')}

${interfaceIn('control/client/connect.ts', 'ConnectOptions')}

${interfaceIn('control/client/errors.ts', 'Problem')}

${interfaceIn('foundation/schema/issue.ts', 'Issue')}

/** How bad it is when a check fails. */
export type Severity = ${literalUnion(severities)}

/** Result of a check. \`accepted\`: it failed and is listed under \`accept\`. */
export type Outcome = ${literalUnion(outcomes)}

${interfaceIn('programs/audit/audit.ts', 'AuditOptions')}

${interfaceIn('programs/audit/report.ts', 'CheckResult')}

${interfaceIn('programs/audit/report.ts', 'AuditReport')}

/** Audits an app that runs, configured for a running emulator; a suite can have one test a check of the result. */
export declare function audit(options: AuditOptions): Promise<AuditReport>

/** Base class of the errors of this package. \`code\` tells its subclasses apart, also between two copies of the package. */
export declare abstract class MockademyError extends Error {
  abstract readonly code: string
}

/** An audit that could not run: emulator or app unreachable, unknown app, bad file, interrupted. */
export declare class AuditFailure extends MockademyError {
  readonly name = 'AuditFailure'
  readonly code = 'ERR_AUDIT'
  constructor(message: string)
}

/** Starts an emulator in this process, on any free port and in memory unless told otherwise. */
export declare function startEmulator(options?: StartOptions): Promise<Emulator>

/** A client of the control API of the emulator at \`url\`. */
export declare function connect(url: string, options?: ConnectOptions): Admin

/** A control call that was refused. Its \`message\` says why, with every field that is wrong. */
export declare class AdminError extends MockademyError {
  readonly name = 'AdminError'
  readonly code = 'ERR_CALL_REFUSED'
  /** The HTTP status. */
  readonly status: number
  readonly problem: Problem
  constructor(status: number, problem: Problem)
}

/** No emulator answered at \`url\`; \`cause\` is the error of the connection, where there was one. */
export declare class UnreachableError extends MockademyError {
  readonly name = 'UnreachableError'
  readonly code = 'ERR_UNREACHABLE'
  readonly url: string
  constructor(url: string, reason: string, options?: { cause?: unknown })
}

/** Options or settings that do not exist or have invalid values. Its \`message\` lists every issue. */
export declare class InvalidOptionsError extends MockademyError {
  readonly name = 'InvalidOptionsError'
  readonly code = 'ERR_INVALID_OPTIONS'
  readonly issues: Issue[]
  constructor(issues: Issue[])
}

/** Fixtures that cannot be read, or hold something that is not valid. Its \`message\` lists every issue. */
export declare class InvalidFixturesError extends MockademyError {
  readonly name = 'InvalidFixturesError'
  readonly code = 'ERR_INVALID_FIXTURES'
  readonly summary: string
  readonly issues: Issue[]
  constructor(summary: string, issues: Issue[])
}

/** Why an emulator does not start: the port is taken, or the store is in use, unreadable or of other fixtures. */
export declare class StartError extends MockademyError {
  readonly name = 'StartError'
  readonly code = 'ERR_START'
  readonly exitStatus: 1 | 2
  constructor(exitStatus: 1 | 2, message: string)
}

${faults}

${elements}

${scenarios}

${compiled
  .replace(/export interface Unused \{[^}]*\}\s*/, '')
  .replace(/ \*\n \* This interface was referenced by `Unused`'s JSON-Schema\n \* via the `definition` "\w+"\.\n/g, '')
  .replace(/\/\*\*\s*\n \* This interface was referenced by `Unused`[\s\S]*?\*\/\n/g, '')
  .trim()}
`

process.stdout.write(process.argv[2] === 'vitest' ? vitest() : index())
