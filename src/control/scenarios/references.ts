import { didYouMean } from '../../foundation/schema/did-you-mean.js'
import { isObject } from '../../foundation/schema/is-object.js'
import type { Path } from '../../foundation/schema/issue.js'
import { StepFailure } from './step-failure.js'

export interface Reference {
  at: Path
  /** The text between the braces. */
  text: string
  /** The step's name or kind, and the path to a value in its result. */
  name: string
  path: string[]
  problem?: string
}

/** `$${` is the text `${`. A reference without its closing brace is matched too, so that it is reported. */
const pattern = /\$\$\{|\$\{([^{}]*)(\}?)/g

const parseReference = (text: string) => {
  const [name = '', ...path] = text.split('.')
  return { text, name, path }
}

/** Returns every reference in the texts of a value. */
export function referencesIn(value: unknown, at: Path = []): Reference[] {
  if (typeof value === 'string') {
    return [...value.matchAll(pattern)]
      .filter(([whole]) => whole !== '$${')
      .map(([, text = '', closing]) => ({
        at,
        ...parseReference(text),
        ...(closing === '' && { problem: 'has a reference without a closing brace; for the text ${, write $${' }),
        ...(closing !== '' && text.split('.').includes('') && { problem: unreadable(text) }),
      }))
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => referencesIn(item, [...at, index]))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => referencesIn(inner, [...at, key]))
}

const unreadable = (text: string) =>
  `has the reference \${${text}}, which must be the name of a step and a path into its result, as in \${install.installation.id}`

export const hasReference = (value: unknown): boolean => referencesIn(value).length > 0

/** Escapes a text that must not be read as a reference. */
export const literal = (text: string): string => text.replaceAll('${', () => '$${')

/**
 * Returns a value with its references replaced by `results` of the steps so far, by name and by kind. A text that is
 * one reference and nothing else becomes a value of any type. @throws StepFailure for a reference that leads to no value.
 */
export function resolveReferences(value: unknown, results: ReadonlyMap<string, unknown>): unknown {
  if (typeof value === 'string') return resolveText(value, results)
  if (Array.isArray(value)) return value.map((item) => resolveReferences(item, results))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolveReferences(inner, results)]))
}

function resolveText(text: string, results: ReadonlyMap<string, unknown>): unknown {
  const [whole] = /^\$\{[^{}]*\}$/.exec(text) ?? []
  if (whole) return resultAt(whole.slice(2, -1), results)
  return text.replace(pattern, (given, reference: string | undefined) => {
    if (reference === undefined) return '${'
    const value = resultAt(reference, results)
    if (typeof value !== 'object' || value === null) return String(value)
    const kind = Array.isArray(value) ? 'an array' : 'an object'
    throw new StepFailure(`${given} is ${kind}: it cannot be part of a string`)
  })
}

function resultAt(text: string, results: ReadonlyMap<string, unknown>): unknown {
  const { name, path } = parseReference(text)
  let value = results.get(name)
  for (const [index, key] of path.entries()) {
    const before = [name, ...path.slice(0, index)].join('.')
    const failure = (why: string) => new StepFailure(`\${${text}}: ${before} ${why}`)
    if (typeof value !== 'object' || value === null) {
      throw failure(`is ${JSON.stringify(value) ?? 'absent'}, which has no ${JSON.stringify(key)}`)
    }
    if (!Object.hasOwn(value, key)) {
      throw failure(`has no ${JSON.stringify(key)}${didYouMean(key, Object.keys(value))}`)
    }
    value = (value as Record<string, unknown>)[key]
  }
  return value
}
