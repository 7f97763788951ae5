import { isObject } from '../schema/is-object.js'
import type { HttpEffect } from './effects.js'

/** A copy of a JSON body with fields more or less than documented. control-api: "Faults", `merge` and `omit` */
export function changeBody(body: object, { merge = {}, omit = [] }: Pick<HttpEffect, 'merge' | 'omit'>): object {
  const without = omit.reduce<unknown>((value, path) => left(value, path.split('.')), body)
  return merged(without, merge) as object
}

/** Objects are merged field by field; anything else takes the other's place. */
const merged = (value: unknown, other: unknown): unknown =>
  isObject(value) && isObject(other)
    ? {
        ...value,
        ...Object.fromEntries(
          Object.entries(other).map(([name, inner]) => [
            name,
            merged(Object.hasOwn(value, name) ? value[name] : undefined, inner),
          ]),
        ),
      }
    : other

/** A copy without what a path leads to; `*` is every item. What is not there is left out already. */
function left(value: unknown, [first = '', ...rest]: string[]): unknown {
  const isMeant = (name: string) => first === '*' || first === name
  if (Array.isArray(value)) {
    return rest.length === 0
      ? value.filter((_, index) => !isMeant(String(index)))
      : value.map((item, index) => (isMeant(String(index)) ? left(item, rest) : item))
  }
  if (!isObject(value)) return value
  const fields = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    if (!isMeant(name)) return [[name, inner]]
    return rest.length === 0 ? [] : [[name, left(inner, rest)]]
  })
  return Object.fromEntries(fields)
}
