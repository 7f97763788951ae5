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
    const before = text.slice(0, first?.offset ?? text.length).split('\n')
    // `CloseBraceExpected` in words.
    const reason =
      first &&
      printParseErrorCode(first.error)
        .replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`)
        .toLowerCase()
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, reason: reason ?? 'invalid' }
  }
}

/** Returns the node at a path, with its key, or the nearest one around it. */
export function nodeNear(tree: Node, path: Path): Node {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, path.slice(0, length))
    if (node) return node.parent?.type === 'property' ? node.parent : node
  }
  return tree
}
