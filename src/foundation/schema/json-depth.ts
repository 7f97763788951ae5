/** The deepest nesting of arrays and objects. wire: §2 "shape of a body" */
export const MAX_DEPTH = 100

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING_BRACKET = 0x5b
const OPENING_BRACE = 0x7b
const CLOSING_BRACKET = 0x5d
const CLOSING_BRACE = 0x7d

/** Describes a text that is nested deeper. */
export const TOO_DEEP = `nested more than ${MAX_DEPTH} levels deep`

/** True for a JSON text nested deeper than `levels`. Of other text only the brackets count. */
export function isDeep(text: string, levels = MAX_DEPTH): boolean {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === BACKSLASH) index++
      else if (code === QUOTE) inString = false
    } else if (code === QUOTE) inString = true
    else if (code === OPENING_BRACKET || code === OPENING_BRACE) {
      if (++depth > levels) return true
    } else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) depth--
  }
  return false
}
