import { isObject } from '../schema/is-object.js'

/** Returns the JSON value that `text` holds; else the text itself. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns the JSON object that `text` holds; undefined for any other text. */
export function jsonObjectIn(text = ''): Record<string, unknown> | undefined {
  const value = jsonOrText(text)
  return isObject(value) ? value : undefined
}
