import type { Path } from '../../foundation/schema/issue.js'

type Container = Record<string | number, unknown>

const REMOVED = Symbol('removed')

/** The object or array that holds what `path` leads to; undefined when there is none. */
export function holderOf(root: object, path: Path): Container | undefined {
  let holder: unknown = root
  for (const key of path.slice(0, -1)) {
    if (typeof holder !== 'object' || holder === null) return undefined
    holder = (holder as Container)[key]
  }
  return typeof holder === 'object' && holder !== null ? (holder as Container) : undefined
}

/**
 * Removes what `path` leads to. An item of an array is only marked until `sweep`, so that the other items stay where
 * further issues say they are.
 * @returns false when nothing holds it.
 */
export function remove(root: object, path: Path): boolean {
  const holder = holderOf(root, path)
  const key = path.at(-1)
  if (!holder || key === undefined) return false
  if (Array.isArray(holder)) holder[Number(key)] = REMOVED
  else delete holder[key]
  return true
}

/** Takes out what `remove` has marked. */
export function sweep(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) value.splice(0, value.length, ...value.filter((item) => item !== REMOVED))
  for (const inner of Object.values(value)) sweep(inner)
}
