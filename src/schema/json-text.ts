import { type ParseError, parseTree } from 'jsonc-parser'

/** The value of a JSON text, or the line (from 1) where it stops being JSON: Node's own parser does not tell. */
export function parseJsonText(text: string): { value?: unknown; line?: number } {
  try {
    return { value: JSON.parse(text) }
  } catch {
    const errors: ParseError[] = []
    parseTree(text, errors, { disallowComments: true })
    const offset = errors[0]?.offset ?? text.length
    return { line: text.slice(0, offset).split('\n').length }
  }
}
