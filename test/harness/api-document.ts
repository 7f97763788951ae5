import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import { startEmulator } from 'mockademy'
import { schemaValidator } from './schema-validator.js'

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is read as it comes
type Document = any

interface Checker {
  document: Document
  validators: Map<string, ValidateFunction>
  ajv: Ajv2020
}

/**
 * Compiling 28 element types takes long, so the document of one plain emulator serves a whole run. Only where it does
 * not fit is the emulator asked for its own (its types may have other names). Both are read as if they had no room for
 * more fields than they have, but where liberties add some.
 */
let shared: Promise<{ closed: Checker; open: Checker }> | undefined

async function plainCheckers() {
  const emulator = await startEmulator({ fixtures: {} })
  const document = await documentOf(emulator.url)
  await emulator.close()
  return { closed: checkerOf(closed(document)), open: checkerOf(document) }
}

const documentOf = async (origin: string): Promise<Document> => (await fetch(`${origin}/v0/openapi.json`)).json()

const closed = (document: Document): Document =>
  JSON.parse(JSON.stringify(document), (_, value) =>
    value?.type === 'object' && value.properties && value.additionalProperties === undefined
      ? { ...value, additionalProperties: false }
      : value,
  )

function checkerOf(document: Document): Checker {
  const ajv = schemaValidator()
  ajv.addSchema(document, 'api')
  return { document, validators: new Map(), ajv }
}

/** Says what is wrong with an answer of `/v0`, by the emulator's own OpenAPI document; undefined when nothing is. */
export async function faultOfAnswer(url: string, method: string, status: number, body: unknown) {
  const { origin, pathname } = new URL(url)
  shared ??= plainCheckers()
  const checkers = await shared
  if (!judge(checkers.closed, pathname, method, status, body)) return undefined
  const { seed }: Document = await (await fetch(`${origin}/_admin/liberties`)).json()
  if (seed !== null) return judge(checkers.open, pathname, method, status, body)
  return judge(checkerOf(closed(await documentOf(origin))), pathname, method, status, body)
}

function judge(checker: Checker, pathname: string, method: string, status: number, body: unknown): string | undefined {
  const pointer = pointerOf(checker.document, pathname, method, status)
  let validate = checker.validators.get(pointer)
  if (!validate) {
    validate = checker.ajv.compile({ $ref: `api#${pointer}` })
    checker.validators.set(pointer, validate)
  }
  return validate(body) ? undefined : `${method} ${pathname} ${status}: ${checker.ajv.errorsText(validate.errors)}`
}

const pointerSegment = (segment: string) => encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'))

/** Returns the pointer to the response's schema; the error envelope's if no operation defines it (no route, 405). */
function pointerOf(document: Document, pathname: string, method: string, status: number): string {
  const paths = Object.keys(document.paths).sort((a, b) => a.split('{').length - b.split('{').length)
  const path = paths.find((template) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname))
  const operation = path === undefined ? undefined : document.paths[path][method.toLowerCase()]
  const response = operation?.responses[status]
  if (!response || path === undefined) return '/components/schemas/Error'
  const base = response.$ref?.slice(1) ?? `/paths/${pointerSegment(path)}/${method.toLowerCase()}/responses/${status}`
  return `${base}/content/${pointerSegment('application/json')}/schema`
}
