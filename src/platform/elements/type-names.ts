import * as z from 'zod'
import { type ElementTypeName, elementTypeNames } from '../../emulator/world/element-type-names.js'
import type { World } from '../../emulator/world/world.js'
import type { Issue } from '../../foundation/schema/issue.js'

/** The type of an element in a response; the names that are in force are filled in when a document is made of it. */
export const wireTypeSchema = z.string().meta({ description: 'An element type' })

/** Returns the name that the wire uses for a neutral one. wire: §7 `element_type_names` */
export const wireType = ({ settings: { element_type_names: names } }: Pick<World, 'settings'>, type: string): string =>
  Object.hasOwn(names, type) ? (names[type] as string) : type

/** Returns the neutral name of one that the wire uses; undefined, with an issue, when the wire has no such name. */
export function readType(world: Pick<World, 'settings'>, name: unknown, issues: Issue[]): ElementTypeName | undefined {
  const found = elementTypeNames.find((type) => wireType(world, type) === name)
  if (found) return found
  const names = elementTypeNames.map((type) => wireType(world, type))
  issues.push({ path: 'type', message: `must be one of ${names.join(', ')}` })
  return undefined
}
