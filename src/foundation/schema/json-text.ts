import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { Path } from './issue.js'
import { isDeep, TOO_DEEP } from './json-depth.js'

/** Parses JSON. Unlike Node's parser, it reports line and column (from 1) of the first error. */
export function parseJsonText(text: string): { value?: unknown; line?: number; column?: number; reason?: string } {
  try {
    return { value: JSON.parse(text) }
  } catch {
    // The parser that finds the error is recursive.
    if (isDeep(text)) return { line: 1, column: 1, reason: TOO_DEEP }
    const errors: ParseError[] = []
    parseTree(text, errors, { disallowComments: true })
    const [first] = errors
    const offset = first?.offset ?? text.length
    const column = offset - text.slice(0, offset).lastIndexOf('\n')
    return { line: lineAt(text, offset), column, reason: first ? describeParseError(first) : 'invalid' }
  }
}

/** Returns an error of the parser in words: `close brace expected`. */
export const describeParseError = ({ error }: ParseError): string =>
  printParseErrorCode(error)
    .replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase()

/** Returns the line of an offset, counted from 1. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** Returns the node at a path, with its key, or the nearest one around it. */
export function nodeNear(tree: Node, path: Path): Node {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, path.slice(0, length))
    if (node) return node.parent?.type === 'property' ? node.parent : node
  }
  return tree
}
