import { didYouMean } from './did-you-mean.js'
import { isObject } from './is-object.js'
import type { Issue } from './issue.js'
import { MockademyError } from './mockademy-error.js'

/** `pageSize` for `page_size`. */
export type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name

/** Returns `pageSize` for `page_size`. */
export const camelCase = <Name extends string>(name: Name) =>
  name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<Name>

/**
 * Options or settings that do not exist or have invalid values. Its `message` lists every issue, and each issue's `path`
 * names the option, variable or flag as the caller wrote it.
 * @example
 * await startEmulator({ pageSize: 0 }) // Invalid options: pageSize must be at least 1
 */
export class InvalidOptionsError extends MockademyError {
  static override readonly name: string = 'InvalidOptionsError'
  readonly code = 'ERR_INVALID_OPTIONS'

  constructor(readonly issues: Issue[]) {
    super(`Invalid options: ${issues.map(({ path, message }) => `${path} ${message}`).join('; ')}`)
  }
}

/** Rejects options that a function does not have. @throws InvalidOptionsError naming what each should be called. */
export function checkOptionNames(options: object, known: readonly string[]): void {
  if (!isObject(options)) throw new InvalidOptionsError([{ path: 'options', message: 'must be an object' }])
  const issues = Object.keys(options)
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: name, message: `is not a known option${hintFor(name, known)}` }))
  if (issues.length > 0) throw new InvalidOptionsError(issues)
}

const isString = (value: unknown) => typeof value === 'string'

/** Kinds of options that have no schema, each with its words in a message. */
const kinds = {
  string: ['a string', isString],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  function: ['a function', (value) => typeof value === 'function'],
  strings: ['an array of strings', (value) => Array.isArray(value) && value.every(isString)],
  // Not `instanceof`: test environments have an AbortSignal of their own.
  signal: ['an AbortSignal', (value) => isObject(value) && 'aborted' in value && 'addEventListener' in value],
} satisfies Record<string, [string, (value: unknown) => boolean]>

/** The kind of each option; undefined where it has a check of its own. */
export type OptionKinds<O> = Record<keyof O, keyof typeof kinds | undefined>

/** @throws InvalidOptionsError for options of another kind. */
export function checkKinds<O extends object>(options: O, expected: Partial<OptionKinds<O>>): void {
  const issues = (Object.keys(expected) as (keyof O & string)[]).flatMap((path) => {
    const kind = expected[path]
    if (kind === undefined || options[path] === undefined) return []
    const [words, isOfKind] = kinds[kind]
    return isOfKind(options[path]) ? [] : { path, message: `must be ${words}` }
  })
  if (issues.length > 0) throw new InvalidOptionsError(issues)
}

/** Checks the names and the kinds of options. @throws InvalidOptionsError */
export function checkOptions<O extends object>(options: O, expected: OptionKinds<O>): void {
  checkOptionNames(options, Object.keys(expected))
  checkKinds(options, expected)
}

/** @throws InvalidOptionsError for what is not the address of an emulator. */
export function checkUrl(url: unknown): void {
  const isText = typeof url === 'string'
  if (isText && /^https?:\/\//i.test(url) && URL.canParse(url)) return
  throw new InvalidOptionsError([
    { path: 'url', message: isText ? 'must be an http or https URL' : 'must be a string' },
  ])
}

const hintFor = (name: string, known: readonly string[]) =>
  known.includes(camelCase(name)) ? `; its name is "${camelCase(name)}"` : didYouMean(name, [...known])
