import type { Signal } from '@preact/signals'
import type { CallName } from '../../../control/admin/calls.js'
import type { JsonSchema } from '../../../control/admin/input-schema.js'
import { type CallField, fieldsOf } from '../../../control/admin/schema-fields.js'
import { callOf } from './call.js'
import { createLoader } from './loader.js'

export interface FormField extends CallField {
  /** The field is a name in the path, not a value of the body. */
  isInPath?: boolean
  /** The value of the field is the body. */
  isBody?: boolean
}

interface Parameter {
  in: 'path' | 'query'
  name: string
  required?: boolean
  description?: string
  schema: JsonSchema
}

interface Operation {
  operationId: CallName
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } }
}

interface ControlDocument {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema> }
}

const { data, problem, load } = createLoader(callOf('adminDocument'), {
  watched() {
    if (!data.peek()) void load()
  },
})
/** The document, which is read when a form first needs it: the bundle has no schemas. */
export const controlDocument = data as Signal<unknown> as Signal<ControlDocument | undefined>
export const documentProblem = problem

/** The schemas of bodies that are written as a whole: their form has one field. */
const wholes = ['FixtureDocument', 'Manifest', 'Report', 'Scenario']

function fieldsOfParameter({ in: place, name, required, description, schema }: Parameter): FormField[] {
  const properties = { [name]: { ...schema, ...(description && { description }) } }
  const fields = fieldsOf({ properties, required: required ? [name] : [] })
  return fields.map((field) => ({ ...field, isInPath: place === 'path' }))
}

/** Returns the fields of the form that makes the call; none before the document is there. */
export function formFieldsOf(call: CallName): FormField[] {
  const { paths = {}, components } = controlDocument.value ?? {}
  const operations = Object.values(paths).flatMap(Object.values) as Operation[]
  const { parameters = [], requestBody } = operations.find(({ operationId }) => operationId === call) ?? {}
  const { $ref = '', ...body } = requestBody?.content['application/json'].schema ?? {}
  const name = $ref.replace(/.*\//, '')
  return [
    ...parameters.flatMap(fieldsOfParameter),
    ...(wholes.includes(name)
      ? [{ name: 'body', kind: 'json' as const, required: true, isBody: true, description: '', choices: [] }]
      : fieldsOf(components?.schemas[name] ?? body)),
  ]
}
