/** The deepest nesting of arrays and objects. wire: §2 "shape of a body" */
export const MAX_DEPTH = 100
/** The longest text that Node can have, in bytes of ASCII. */
export const MAX_JSON_BYTES = 512 * 1024 * 1024

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING_BRACKET = 0x5b
const OPENING_BRACE = 0x7b
const CLOSING_BRACKET = 0x5d
const CLOSING_BRACE = 0x7d

/** Message for a text that is nested more deeply. */
export const TOO_DEEP = `nested more than ${MAX_DEPTH} levels deep`

/** Returns true for a JSON text nested deeper than `levels`. Of other text only the brackets count. */
export function isDeep(text: string, levels = MAX_DEPTH): boolean {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) index = endOfString(text, index)
    else if (code === OPENING_BRACKET || code === OPENING_BRACE) {
      if (++depth > levels) return true
    } else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) depth--
  }
  return false
}

/** Returns true for a value nested deeper than `levels`, such as one that contains itself. */
export const isDeepValue = (value: unknown, levels = MAX_DEPTH): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeepValue(inner, levels - 1)))

/** Returns the index of the quote that ends a string; the text's length when none does. */
function endOfString(text: string, start: number): number {
  let end = start
  do {
    end = text.indexOf('"', end + 1)
    if (end < 0) return text.length
  } while (isEscaped(text, end))
  return end
}

function isEscaped(text: string, index: number): boolean {
  let first = index
  while (text.charCodeAt(first - 1) === BACKSLASH) first--
  return (index - first) % 2 === 1
}
