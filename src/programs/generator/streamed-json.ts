/** Characters of a piece: a write for each line would take most of the time. */
const PIECE = 256 * 1024

/**
 * Writes a JSON document piece by piece, so that its size costs no memory: an iterator becomes an array with each item on
 * a line; what holds none is written on one line.
 */
export function* streamedJson(document: object): Generator<string> {
  let piece = ''
  for (const text of textsOf(document, '')) {
    piece += text
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  yield `${piece}\n`
}

function* textsOf(value: object, indent: string): Generator<string> {
  const inner = `${indent}  `
  const isArray = isIterable(value)
  let separator = `\n${inner}`
  yield isArray ? '[' : '{'
  for (const entry of isArray ? value : Object.entries(value)) {
    const [name, field] = isArray ? [undefined, entry] : (entry as [string, unknown])
    if (field === undefined) continue
    const head = name === undefined ? separator : `${separator}${JSON.stringify(name)}: `
    if (!hasIterator(field)) yield head + JSON.stringify(field)
    else {
      yield head
      yield* textsOf(field, inner)
    }
    separator = `,\n${inner}`
  }
  yield `${separator.startsWith(',') ? `\n${indent}` : ''}${isArray ? ']' : '}'}`
}

const isIterable = (value: object): value is Iterable<unknown> => Symbol.iterator in value

/** Returns true for what is or holds an iterator, at any depth. */
const hasIterator = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  ((isIterable(value) && !Array.isArray(value)) || Object.values(value).some(hasIterator))
