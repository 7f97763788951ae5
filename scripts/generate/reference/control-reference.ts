import { adminDocument } from '../../../src/control/admin/admin-document.js'
import { callNames, callTable } from '../../../src/control/admin/call-table.js'
import { type CallName, calls } from '../../../src/control/admin/calls.js'
import { ruleNames, rules } from '../../../src/control/findings/rules.js'
import { pageOf } from '../../../src/emulator/world/documentation.js'
import { isGroup, nameOf } from '../../../src/programs/cli/command/command.js'
import { commands } from '../../../src/programs/cli/commands.js'
import { fieldRows, type Schema, shapesIn, typeOf } from './fields.js'
import { code, sentence, tableOf } from './markdown.js'

interface Operation {
  'x-source': string
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: Schema }[]
  requestBody?: { required: boolean; content: { 'application/json': { schema: Schema } } }
  responses: Record<string, { content?: { 'application/json': { schema: Schema } } }>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const document = adminDocument(calls, 'http://127.0.0.1:4600') as unknown as Document
const { schemas } = document.components

/** The commands that make each call, as one writes them. */
async function commandsByCall(): Promise<Map<CallName, string[]>> {
  const made = new Map<CallName, string[]>()
  const add = (line: string, calls: readonly CallName[] = []) => {
    for (const call of calls) made.set(call, [...(made.get(call) ?? []), line])
  }
  for (const entry of commands) {
    const loaded = await entry.load()
    if (!isGroup(loaded)) add(nameOf(entry), loaded.calls)
    else for (const sub of loaded.subcommands) add(`${nameOf(entry)} ${nameOf(sub)}`, sub.calls)
  }
  return made
}

/** The call as the typed client has it. */
function methodOf(name: CallName, { parameters = [], requestBody }: Operation): string {
  const { path, argument, bodyOptional } = callTable[name]
  const named = [...path.matchAll(/:(\w+)/g)].map(([, param]) => param as string)
  const query = parameters.filter((each) => each.in === 'query')
  const isOptional = requestBody ? bodyOptional === true : query.every(({ required }) => !required)
  const fields = Object.keys(requestBody?.content['application/json'].schema.properties ?? {})
  const rest = argument ? [argument] : requestBody ? ['body'] : query.length > 0 ? ['query'] : []
  const given = rest.map((field) => `${field}${isOptional ? '?' : ''}`)
  return `admin.${name}(${[...named, ...given, ...(argument && fields.length > 1 ? ['others?'] : [])].join(', ')})`
}

function callLines(name: CallName, lines: readonly string[]): string[] {
  const { method, path, summary } = callTable[name]
  const wire = path.replace(/:(\w+)/g, '{$1}')
  const operation = document.paths[wire]?.[method.toLowerCase()] as Operation
  return [
    '',
    `### <a id="call-${name}"></a>\`${method} ${wire}\``,
    '',
    `${sentence(summary)} Client: ${code(methodOf(name, operation))}${lines.length > 0 ? `; command: ${lines.map((line) => `[\`${line}\`](commands.md#${line.split(' ')[0]})`).join(', ')}` : ''}.`,
    ...operationLines(operation),
  ]
}

function operationLines({ parameters = [], requestBody, responses }: Operation): string[] {
  const query = parameters.filter((each) => each.in === 'query')
  const properties = Object.fromEntries(
    query.map(({ name, description, schema }) => [name, { ...schema, ...(description && { description }) }]),
  )
  const body = requestBody?.content['application/json'].schema
  const [[status, response] = ['200', {}]] = Object.entries(responses)
  const schema = response.content?.['application/json'].schema ?? {}
  const item = schema.properties?.data?.items
  const isInline = !item && !schema.$ref && schema.properties !== undefined
  return [
    ...tableOf(
      ['query', 'type', 'meaning'],
      fieldRows(
        { properties, required: query.filter(({ required }) => required).map(({ name }) => name) },
        { asks: true },
      ),
    ),
    ...(requestBody?.required === false ? ['', 'The body may be left out.'] : []),
    ...(body?.$ref && !wholeBody(body) ? ['', `The body is a ${typeOf(body)}.`] : []),
    ...tableOf(['body', 'type', 'meaning'], body ? fieldRows(wholeBody(body) ?? body, { asks: true }) : []),
    '',
    `Returns ${status}${item ? `, \`{ "data": [ … ] }\` of ${typeOf(item)}` : schema.$ref ? `, ${typeOf(schema)}` : isInline ? ':' : ''}${isInline ? '' : '.'}`,
    ...(isInline ? tableOf(['field', 'type', 'meaning'], fieldRows(schema)) : []),
  ]
}

/** A body with a name is described where it is asked for, if no other page has it. */
const wholeBody = ({ $ref }: Schema) => {
  const name = $ref?.split('/').at(-1) ?? ''
  return ['FixtureDocument', 'Manifest'].includes(name) ? undefined : schemas[name]
}

/** The shapes that calls return, and those that these are made of. */
function shapeLines(): string[] {
  const returned = callNames.flatMap((name) => {
    const { method, path } = callTable[name]
    const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as Operation
    return shapesIn(Object.values(operation.responses)[0])
  })
  const names = new Set(returned)
  for (const name of names) for (const inner of shapesIn(schemas[name])) names.add(inner)
  return [...names]
    .sort()
    .flatMap((name) => [
      '',
      `<a id="shape-${name.toLowerCase()}"></a>**${name}**`,
      ...contentOf(schemas[name] as Schema),
    ])
}

/** The fields of a shape; of one that is several, what it is in words. */
function contentOf(schema: Schema): string[] {
  const rows = fieldRows(schema)
  return rows.length > 0 || !schema.description
    ? tableOf(['field', 'type', 'meaning'], rows)
    : ['', schema.description.replace(/docs\/([\w-]+\.md)/g, '[$1]($1)')]
}

/** The reference of the control API, made of the table of calls and their schemas. */
export async function controlReference(): Promise<string> {
  const made = await commandsByCall()
  const chapters = new Map<string, CallName[]>()
  for (const name of callNames) {
    const title = callTable[name].source.replace('control-api: ', '').replace('preamble', 'The document itself')
    chapters.set(title, [...(chapters.get(title) ?? []), name])
  }
  const lines = [...chapters].flatMap(([title, names]) => [
    '',
    `## ${title}`,
    ...names.flatMap((name) => callLines(name, made.get(name) ?? [])),
    ...(title === 'Journal' ? streamLines() : []),
    ...(title === 'Findings' ? ruleLines() : []),
  ])
  return [...lines, '', '## Shapes', ...shapeLines()].join('\n').trim()
}

/** Returns the table of the rules of findings. */
const ruleLines = () => [
  '',
  '### Rules',
  '',
  'An error is certain and forbidden; a hint is practice or a threshold, and fails no run.',
  ...tableOf(
    ['rule', 'level', 'source', 'meaning'],
    ruleNames.map((name) => {
      const { level, section, explanation } = rules[name]
      return [code(name), level, linked(section), explanation]
    }),
  ),
]

/** Returns a section, as a link if one of these pages has it. */
function linked(section: string): string {
  const page = pageOf(section)
  return page ? `[${section}](${page.slice(page.lastIndexOf('/') + 1)})` : section
}

/** The stream is no call: it never ends. */
const streamLines = () => [
  '',
  '### <a id="call-stream"></a>`GET /_admin/stream`',
  '',
  `Requests, deliveries and changes as they happen: server-sent events, see [the stream](#the-stream). Client: ${code('admin.stream(options?)')}.`,
  ...operationLines({ ...(document.paths['/_admin/stream']?.get as Operation), responses: { 200: {} } }),
]
