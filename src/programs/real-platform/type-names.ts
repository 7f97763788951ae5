import { type ElementTypeName, elementTypeNames } from '../../emulator/world/element-type-names.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { elementTypes, isElementType } from '../../platform/elements/element-types.js'
import type { PlatformClient } from './platform-client.js'

/** A list of this many names of which this many are known is the list of element types, whatever it is called. */
const ENOUGH = 10

/** A search for it is refused, and the refusal may name the types that there are. */
export const unknownType = { query: { type: 'mockademy-unknown-type' } }

/** Reads the platform's own names of element types, as far as it documents them: neutral name to its own, only those that differ. */
export async function askForTypeNames(client: PlatformClient): Promise<Record<string, string>> {
  const document = await client.request('/v0/openapi.json', { credential: null })
  const refusal = await client.request('/v0/elements/search', unknownType)
  return typeNamesIn(document.body, refusal.body)
}

/**
 * The names that an OpenAPI document has, or else the refusal of a search for a type that does not exist.
 * @returns neutral name to the platform's, only those that differ. spec: §2.2 "Naming note"
 */
export function typeNamesIn(described: unknown, refused: unknown): Record<string, string> {
  for (const list of [...listsIn(described), ...wordsIn(refused)]) {
    if (list.filter(isElementType).length >= ENOUGH) return matchNames(list)
  }
  return {}
}

/**
 * Finds the neutral name of each unknown one. The platform's list has an order, and the known names are at their
 * places in it; in a list of another length only one unknown name for one missing name is certain.
 */
function matchNames(list: string[]): Record<string, string> {
  const inPlace = elementTypeNames.filter((neutral, index) => list[index] === neutral).length
  if (list.length === elementTypeNames.length && inPlace >= ENOUGH) {
    const pairs = elementTypeNames.map((neutral, index): [string, string] => [neutral, list[index] as string])
    return Object.fromEntries(pairs.filter(([neutral, name]) => neutral !== name))
  }
  const missing = elementTypeNames.filter((neutral) => !list.includes(neutral))
  const unknown = list.filter((name) => !isElementType(name))
  return missing.length === 1 && unknown.length === 1 ? { [missing[0] as string]: unknown[0] as string } : {}
}

/** Yields every list of words in a document: enumerations, and the names that a discriminator tells apart. */
function* listsIn(value: unknown): Generator<string[]> {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) yield value
  if (isObject(value) && isObject(value.mapping)) yield Object.keys(value.mapping)
  for (const inner of Object.values(value)) yield* listsIn(inner)
}

/** Returns the enumerations in the texts of a body: "must be one of CONTENT, VIDEO, …". */
function* wordsIn(value: unknown): Generator<string[]> {
  if (typeof value === 'string') yield value.split(',').map((part) => part.trim().split(/\s/).at(-1) ?? '')
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* wordsIn(inner)
}

/**
 * Reads the platform's names. An unknown name is identified by its properties: it is the first type that has them and of
 * which no other name is known.
 * @param known the neutral names to the platform's at the time of each call; a name found by properties is added.
 * @param onGuess called with each name that was found by properties.
 */
export function createTypeReader(
  known: { names: Record<string, string> },
  onGuess: (neutral: string, name: string) => void,
) {
  return (name: string, properties: Record<string, unknown>): ElementTypeName | undefined => {
    const { names } = known
    const named = elementTypeNames.find((neutral) => names[neutral] === name)
    if (named) return named
    if (isElementType(name) && !(name in names)) return name
    const keys = keysOf(properties)
    const isAlike = (neutral: ElementTypeName) => keys !== '' && keysOf(elementTypes[neutral].properties) === keys
    const found = renamed.find((neutral) => isAlike(neutral) && !(neutral in names))
    if (!found) return undefined
    names[found] = name
    onGuess(found, name)
    return found
  }
}

const keysOf = (properties: object) => Object.keys(properties).sort().join()

/** The types that have neutral names in the specification. spec: §2.2 "Naming note" */
const renamed: ElementTypeName[] = ['MEETING_PROVIDER_A', 'PARTNER_LEARNING', 'MEETING_PROVIDER_B']
