import { isObject } from '../../foundation/schema/is-object.js'
import type { HttpEffect } from './effects.js'

/**
 * A response's JSON body with fields more or less than documented; any other body as it is. `merge` goes object by
 * object, whatever else it holds replaces what is there; `omit` has dotted paths, `*` for every item. control-api: "Faults"
 */
export function alteredBody<B>(body: B, { merge, omit = [] }: Pick<HttpEffect, 'merge' | 'omit'>): B {
  if ((merge === undefined && omit.length === 0) || !isObject(body)) return body
  const result = merged(structuredClone(body), merge ?? {})
  for (const path of omit) remove(result, path.split('.'))
  return result as B
}

function merged(target: unknown, source: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(source)) {
    // Defined and not assigned, as `__proto__` is a name like any other here.
    Object.defineProperty(result, name, {
      value: isObject(value) ? merged(result[name], value) : value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return result
}

function remove(value: unknown, [name, ...rest]: string[]): void {
  if (name === undefined || typeof value !== 'object' || value === null) return
  const container = value as Record<string, unknown>
  // From the end, so that items of a list do not move meanwhile.
  const names = name === '*' ? Object.keys(container).reverse() : [name]
  for (const each of names) {
    if (!Object.hasOwn(container, each)) continue
    if (rest.length > 0) remove(container[each], rest)
    else if (Array.isArray(value)) value.splice(Number(each), 1)
    else delete container[each]
  }
}
