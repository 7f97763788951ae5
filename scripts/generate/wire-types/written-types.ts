import * as z from 'zod'
import { calls } from '../../../src/control/admin/calls.js'
import { stepBodies, stepFields, stepKinds } from '../../../src/control/admin/scenario-schemas.js'
import { elementDocument } from '../../../src/control/fixtures/document.js'
import { effectsOf } from '../../../src/emulator/faults/effects.js'
import { faultMatch } from '../../../src/emulator/faults/fault-request.js'
import { createBody } from '../../../src/platform/elements/element-schemas.js'
import { capitalized } from '../../../src/programs/reports/capitalized.js'
import { arrayOf, definitions, type Json, literalUnion, schemaOf, typeNameFor } from './definitions.js'

// Types that no schema says as users would write them: each is put together by hand of parts that schemas make.

/** A fault: the effects of the surface that it matches. */
export function faultTypes(): string {
  typeNameFor('FaultMatch', 'The exchanges that a fault matches', faultMatch, 'input')
  const surfaces = Object.keys(effectsOf) as (keyof typeof effectsOf)[]
  const effects = surfaces.map((surface) => {
    const { names, parts } = effectsOf[surface]
    const name = `${capitalized(surface).replace('_t', 'T')}Effect`
    const type = typeNameFor(`${name}Parts`, `An effect on \`${surface}\` that has no name`, parts, 'input')
    const text = `/** An effect on \`${surface}\`. */\nexport type ${name} = ${literalUnion(names)} | ${type}`
    return { surface, name, text }
  })
  const options = effects.map(({ surface, name }) => {
    const optional = surface === 'api' || surface === 'oauth' ? '?' : ''
    const match = `Omit<FaultMatch, 'surface'> & { surface${optional}: '${surface}' }`
    return `  | { match${optional}: ${match}; effect: ${name} }`
  })
  const rest = calls.addFault.body.in as z.ZodObject
  const description = 'The phase, the number and the probability of the exchanges that a fault affects'
  typeNameFor('FaultRules', description, rest.omit({ match: true, effect: true }), 'input')
  return [
    ...effects.map(({ text }) => text),
    `/** An effect on any surface. */\nexport type FaultEffect = ${effects.map(({ name }) => name).join(' | ')}`,
    '/** A fault to add: an effect of the surface that it matches; without a surface, of `api` and `oauth`. */',
    'export type NewFault = FaultRules & (',
    ...options,
    ')',
  ].join('\n')
}

/** An element of a fixture document, with the properties of its type. */
export function fixtureElementTypes(): string {
  definitions.FixtureElementFields = {
    description: 'The fields that elements of all types have',
    ...schemaOf(elementDocument, 'input'),
  }
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
  for (const [type, name] of options) {
    const { id: _, ...definition } = $defs[name] as Json & { id?: string }
    definitions[name] = { description: `Properties of an element of type \`${type}\``, ...definition } as Json
  }
  return [
    '/** An element of a fixture document, with the properties of its type. */',
    "export type FixtureElement = Omit<FixtureElementFields, 'type' | 'properties'> & (",
    ...options.map(([type, name]) => `  | { type: '${type}'; properties?: ${name} }`),
    ')',
  ].join('\n')
}

/** A step of a scenario: one kind of step, and what may stand beside it. */
export function scenarioTypes(): string {
  typeNameFor('ScenarioStepFields', 'The fields that steps of all kinds have', z.strictObject(stepFields), 'input')
  const options = stepKinds.map((kind) => {
    const name = `${capitalized(kind).replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())}Step`
    return `  | { ${kind}: ${typeNameFor(name, `Body of the step \`${kind}\``, stepBodies[kind], 'input')} }`
  })
  return [
    '/** A step of a scenario. Any text in it may hold references to the results of earlier steps. */',
    'export type ScenarioStep = ScenarioStepFields & (',
    ...options,
    ')',
  ].join('\n')
}

/** Permissions and events: those that the platform knows are completed, any other may be written. spec: §2.5, §5.3, §6 */
export function nameValues(): void {
  const manifest = definitions.Manifest?.properties as Record<string, Json>
  manifest.permissions = arrayOf('(Permission | { permission: Permission; purpose?: string })')
  Object.assign(manifest.webhook?.properties ?? {}, { events: arrayOf('EventType') })
  Object.assign(definitions.SendEventBody?.properties ?? {}, { type: { tsType: 'EventType' } })
}
