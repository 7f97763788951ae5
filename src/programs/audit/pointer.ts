/**
 * What a JSON pointer (RFC 6901) leads to in a text; undefined when there is nothing, or the text is not JSON.
 * `length` of an array is its length.
 */
export function valueAt(text: string, pointer: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const keys = pointer.split('/').slice(1)
  return keys
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key], value)
}
