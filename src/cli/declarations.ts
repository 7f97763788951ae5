import { readFileSync } from 'node:fs'
import { compile, type JSONSchema } from 'json-schema-to-typescript'
import * as z from 'zod'
import type { CallSchemas } from '../admin/call.js'
import { schemas } from '../admin/call-schemas.js'
import { type CallName, callNames, entryOf } from '../admin/calls.js'
import { queryDuration } from '../admin/schema-parts.js'
import { anything, stepBodies, stepFields, stepKinds } from '../admin/schemas/scenarios.schemas.js'
import { appDocument } from '../apps/app-fields.js'
import { manifestSchema } from '../apps/manifest-schema.js'
import { severities } from '../audit/check.js'
import { auditFile } from '../audit/file.js'
import { outcomes } from '../audit/report.js'
import { scopes } from '../authentication/scopes.js'
import { createBody } from '../elements/element-schemas.js'
import { effectsOf, faultMatch } from '../faults/effects.js'
import { elementDocument } from '../fixtures/document.js'
import { capitalised } from '../reports/capitalised.js'
import { durationInput } from '../schema/duration-schema.js'
import { lifecycleEvents } from '../webhooks/lifecycle-events.js'
import { settingsSchema } from '../world/setting-schemas.js'

/**
 * Prints the declarations of the package, for `npm run build`: everything that users see of it has a name and its
 * documentation, and nothing of the inside shows. It is made of the tables and schemas that the program itself goes by.
 * `docs/api.d.ts` is a copy of it, so that every change of what is public is seen. With `vitest`, those of
 * `mockademy/vitest`.
 */

type Json = z.core.JSONSchema.JSONSchema & { tsType?: string }
type Direction = 'input' | 'output'

const definitions: Record<string, Json> = {}
const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`).join(' | ')

/** What schemas leave to their rooms, or say in more words than a type needs, by the name of its type. */
const named = new Map<unknown, string>([
  [durationInput, 'Duration'],
  [queryDuration, 'Duration'],
  [schemas.addFault.body, 'NewFault'],
  [elementDocument, 'FixtureElement'],
  [settingsSchema, 'SettingOptions'],
  [anything, 'unknown'],
])

/** The JSON Schema of `schema`, its named parts in `definitions`. */
function schemaOf(schema: z.ZodType, io: Direction): Json {
  const made = z.toJSONSchema(z.object({ schema }), {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      // What has a name is described where it is the whole, and named where it is a part.
      const isWhole = (zodSchema as unknown) === schema && (schema === elementDocument || schema === settingsSchema)
      const type = isWhole ? undefined : named.get(zodSchema)
      if (type) {
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema]
        Object.assign(jsonSchema, { tsType: type })
      }
      if (zodSchema === appDocument) {
        Object.assign(jsonSchema.properties ?? {}, {
          manifest: { tsType: 'Manifest' },
          versions: { tsType: 'Manifest[]' },
        })
      }
    },
  })
  for (const [name, { id: _, ...definition }] of Object.entries(made.$defs ?? {}))
    definitions[name] = definition as Json
  return made.properties?.schema as Json
}

/** The name of the type of `schema`: its own, or `name`. */
function typeOf(name: string, schema: z.ZodType, io: Direction): string {
  const known = schema.meta()?.id
  const made = schemaOf(schema, io)
  if (typeof known === 'string') return known === 'State' ? 'FixtureDocument' : known
  if (made.tsType) return made.tsType
  definitions[name] = made
  return name
}

/** The parameters of a call's method: names in the path, then fields of the body, or the body, or the query. */
function parametersOf(name: CallName): string {
  const { path, fields, bodyOptional } = entryOf(name)
  const { query, body }: CallSchemas = schemas[name]
  const names = [...path.matchAll(/:(\w+)/g)].map(([, param]) => `${param}: string`)
  if (fields && body) {
    const { properties = {} } = schemaOf(body, 'input')
    const types = fields.map((field) => `${field}${bodyOptional ? '?' : ''}: ${inline(properties[field] as Json)}`)
    return [...names, ...types].join(', ')
  }
  const given = query ?? body
  if (!given) return names.join(', ')
  const type = typeOf(`${capitalised(name)}${query ? 'Query' : 'Body'}`, given, 'input')
  const optional = (query ? query.safeParse({}).success : bodyOptional) ? '?' : ''
  return [...names, `${query ? 'query' : 'body'}${optional}: ${type}`].join(', ')
}

/** A simple type in place. @throws Error for one that needs a name. */
function inline({ tsType, type, enum: values }: Json): string {
  if (tsType) return tsType
  if (values) return quoted(values as string[])
  if (type === 'string') return type
  throw new Error('A field that a method takes by itself has a type that needs a name')
}

function methodOf(name: CallName): string {
  const { summary, source, method, path, list } = entryOf(name)
  const parameters = parametersOf(name)
  const answer = typeOf(`${capitalised(name)}Result`, schemas[name].answer, 'output')
  return `  /** ${summary}. \`${method} ${path.replace(/:(\w+)/g, '{$1}')}\` (${source}) */
  ${name}(${parameters}): Promise<${answer}${list ? '[]' : ''}>`
}

/** A fault: the effects of the surface that it matches. */
function faultTypes(): string {
  typeOf('FaultMatch', faultMatch, 'input')
  const surfaces = Object.keys(effectsOf) as (keyof typeof effectsOf)[]
  const effects = surfaces.map((surface) => {
    const { names, parts } = effectsOf[surface]
    const name = `${capitalised(surface).replace('_t', 'T')}Effect`
    const type = typeOf(`${name}Parts`, parts, 'input')
    return { surface, name, text: `export type ${name} = ${quoted(names)} | ${type}` }
  })
  const options = effects.map(({ surface, name }) => {
    const optional = surface === 'api' || surface === 'oauth' ? '?' : ''
    const match = `Omit<FaultMatch, 'surface'> & { surface${optional}: '${surface}' }`
    return `  | { match${optional}: ${match}; effect: ${name} }`
  })
  const rest = schemas.addFault.body.in as z.ZodObject
  typeOf('FaultRules', rest.omit({ match: true, effect: true }), 'input')
  return [
    ...effects.map(({ text }) => text),
    '/** What `addFault` takes: an effect of the surface that it matches; without one, of `api` and `oauth`. */',
    'export type NewFault = FaultRules & (',
    ...options,
    ')',
  ].join('\n')
}

/** An element of a fixture document, with the properties of its type. */
function elementTypes(): string {
  definitions.FixtureElementFields = schemaOf(elementDocument, 'input')
  const { $defs = {} } = z.toJSONSchema(createBody, { io: 'input' })
  const options = Object.values($defs).flatMap(({ properties }) => {
    const { type, properties: own } = (properties ?? {}) as Record<string, { const?: string; $ref?: string }>
    const reference =
      own?.$ref ?? (own as { anyOf?: { $ref?: string }[] } | undefined)?.anyOf?.find(({ $ref }) => $ref)?.$ref
    return type?.const === undefined || !reference ? [] : [[type.const, reference.split('/').at(-1) as string] as const]
  })
  const [variant] = Object.values($defs).filter(({ properties }) => properties?.properties)
  const { name, content, metadata } = variant?.properties ?? {}
  Object.assign(definitions.FixtureElementFields.properties ?? {}, { name, content, metadata })
  for (const [, name] of options) {
    const { id: _, ...definition } = $defs[name] as Json & { id?: string }
    definitions[name] = definition as Json
  }
  return [
    '/** An element of a fixture document, with the properties of its type. */',
    "export type FixtureElement = Omit<FixtureElementFields, 'type' | 'properties'> & (",
    ...options.map(([type, name]) => `  | { type: '${type}'; properties?: ${name} }`),
    ')',
  ].join('\n')
}

/** A step of a scenario: one kind of step, and what may stand beside it. */
function scenarioTypes(): string {
  typeOf('ScenarioStepFields', z.strictObject(stepFields), 'input')
  const options = stepKinds.map((kind) => {
    const name = `${capitalised(kind).replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())}Step`
    return `  | { ${kind}: ${typeOf(name, stepBodies[kind], 'input')} }`
  })
  return [
    '/** A step of a scenario. Any text in it may hold references to the results of earlier steps. */',
    'export type ScenarioStep = ScenarioStepFields & (',
    ...options,
    ')',
  ].join('\n')
}

/** Permissions and events: those that the platform knows are completed, any other may be written. spec: §2.5, §5.3, §6 */
function nameValues(): void {
  const manifest = definitions.Manifest?.properties as Record<string, Json>
  manifest.permissions = listOf('(Permission | { permission: Permission; purpose?: string })')
  Object.assign(manifest.webhook?.properties ?? {}, { events: listOf('EventType') })
  Object.assign(definitions.SendEventBody?.properties ?? {}, { type: { tsType: 'EventType' } })
}

const listOf = (tsType: string): Json => ({ type: 'array', items: { tsType } as Json })
const orOther = (names: string[]) => `${quoted(names)} | (string & {})`

/** An interface as it stands in a file of src, its documentation too. */
function interfaceIn(file: string, name: string): string {
  const text = readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8')
  const [found] =
    new RegExp(`/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\s*export interface ${name}\\b[\\s\\S]*?\\n}`).exec(text) ?? []
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
const elements = elementTypes()
const scenarios = scenarioTypes()
typeOf('AuditFileInput', auditFile, 'input')
definitions.Manifest = schemaOf(manifestSchema([]), 'input')
nameValues()
definitions.SettingOptions = schemaOf(settingsSchema, 'input')
// Both are written by hand, of parts that are not; what names them means those.
delete definitions.State
delete definitions.NewFault
delete definitions.ScenarioStep
Object.assign(definitions.Scenario?.properties ?? {}, { steps: listOf('ScenarioStep') })
const root = { $defs: definitions, type: 'object', additionalProperties: false } as unknown as JSONSchema
const compiled = await compile(root, 'Unused', {
  bannerComment: '',
  unreachableDefinitions: true,
  ignoreMinAndMaxItems: true,
  additionalProperties: false,
  style: { semi: false, singleQuote: true, printWidth: 120 },
})

const index = () => `// Made by \`npm run build\` of the tables and schemas of src; docs/api.d.ts is a copy.

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

${interfaceIn('start/launch-options.ts', 'StartOptions')}

${interfaceIn('start/start-emulator.ts', 'Emulator')}

${interfaceIn('client/connect.ts', 'ConnectOptions')}

${interfaceIn('client/errors.ts', 'Problem')}

${interfaceIn('schema/issue.ts', 'Issue')}

/** How bad it is when a check fails. */
export type Severity = ${quoted(severities)}

/** What a check came to; \`accepted\`: it failed, and the file says why that is known. */
export type Outcome = ${quoted(outcomes)}

${interfaceIn('audit/audit.ts', 'AuditOptions')}

${interfaceIn('audit/report.ts', 'CheckResult')}

${interfaceIn('audit/report.ts', 'AuditReport')}

/** Audits an app that runs, configured for a running emulator; a suite can have one test a check of the result. */
export declare function audit(options: AuditOptions): Promise<AuditReport>

/** An audit that could not run: emulator or app unreachable, unknown app, bad file, interrupted. */
export declare class AuditFailure extends Error {
  constructor(message: string)
}

/** Starts an emulator in this process, on any free port and in memory unless told otherwise. */
export declare function startEmulator(options?: StartOptions): Promise<Emulator>

/** A client of the control API of the emulator at \`url\`. */
export declare function connect(url: string, options?: ConnectOptions): Admin

/** A control call that was refused. Its \`message\` says why, with every field that is wrong. */
export declare class AdminError extends Error {
  /** The HTTP status. */
  readonly status: number
  readonly problem: Problem
  constructor(status: number, problem: Problem)
}

/** No emulator answered at \`url\`; \`cause\` is the error of the connection, where there was one. */
export declare class UnreachableError extends Error {
  readonly url: string
  constructor(url: string, reason: string, options?: ErrorOptions)
}

/** Settings or options that do not exist or have values that they cannot have. Its \`message\` lists every issue. */
export declare class InvalidSettingsError extends Error {
  readonly issues: Issue[]
  constructor(issues: Issue[])
}

/** Fixtures that cannot be read, or hold something that is not valid. Its \`message\` lists every issue. */
export declare class InvalidFixturesError extends Error {
  readonly summary: string
  readonly issues: Issue[]
  constructor(summary: string, issues: Issue[])
}

/** Why an emulator does not start: the port is taken, or the store is in use, unreadable or of other fixtures. */
export declare class StartError extends Error {
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
