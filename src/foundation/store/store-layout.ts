import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import type { OutgoingDocument } from './store-document.js'

// The layout of `store.json`: its own fields and each record on a line of their own. So it is read and written a piece
// at a time, and its size is limited by no string of Node's (512 MB); a version control shows which record changed.
//
// {
//   "sealed": "…",
//   …
//   "collections": {
//     "organizations": [
//       {"id":"acme",…},
//       {"id":"globex",…}
//     ],
//     …
//   }
// }

export const PIECE = 1024 * 1024
/** Bytes. This version writes no longer line and no longer beginning of one. */
const MAX_LINE_LENGTH = 128 * PIECE

const COLLECTIONS = '\n  "collections": {\n'
const CLOSE = '\n    ]'
const BETWEEN = ',\n      '
const RECORD = '      {'

/** A part of a collection's records, in the order of the file. */
export interface Block {
  collection: string
  /** Line of the first record. */
  line: number
  /** Records as JSON, without the brackets of an array. */
  text: string
}

/** Laid out in another way than `documentText` does: by an editor, or by an earlier version. */
export class LayoutError extends Error {}

/** Yields the text of a document after its first two lines, `{` and the seal. */
export async function* documentText({ records, ...header }: OutgoingDocument): AsyncGenerator<string> {
  let text = ''
  for (const [name, value] of Object.entries(header)) {
    if (value !== undefined) text += `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`
  }
  text += COLLECTIONS.slice(1)
  let last: string | undefined
  for await (const { collection, texts } of records) {
    for (const record of texts) {
      if (collection === last) text += BETWEEN
      else text += `${last === undefined ? '' : `${CLOSE},\n`}    ${JSON.stringify(collection)}: [\n      `
      last = collection
      text += record
      if (text.length < PIECE) continue
      yield text
      text = ''
    }
  }
  yield `${text}${last === undefined ? '' : `${CLOSE}\n`}  }\n}\n`
}

/** Returns each record of a block, as JSON. */
export const recordsOf = ({ text }: Block): string[] => text.split(BETWEEN)

/** Reads `store.json` a piece at a time: its JSON without records, and the records. @throws LayoutError */
export async function readLayout<T>(
  file: string,
  use: (header: string, blocks: AsyncGenerator<Block>) => Promise<T>,
): Promise<T> {
  const bytes = createReadStream(file, { highWaterMark: PIECE })
  try {
    const { header, blocks } = await readHeader(textsOf(bytes))
    return await use(header, blocks)
  } finally {
    bytes.destroy()
  }
}

async function readHeader(pieces: AsyncGenerator<string>): Promise<{ header: string; blocks: AsyncGenerator<Block> }> {
  let text = ''
  let end = -1
  while (end < 0) {
    const { value } = await pieces.next()
    if (value === undefined || text.length > MAX_LINE_LENGTH) throw new LayoutError()
    text += value
    end = text.indexOf(COLLECTIONS)
  }
  const start = end + COLLECTIONS.length
  const header = `${text.slice(0, end)}${COLLECTIONS}  }\n}\n`
  return { header, blocks: blocksOf(text.slice(start), pieces, countLines(text, 0, start) + 1) }
}

async function* blocksOf(first: string, pieces: AsyncGenerator<string>, firstLine: number): AsyncGenerator<Block> {
  const at: Position = { collection: undefined, next: 'possible', open: 2 }
  let line = firstLine
  for (let text: string | undefined = first; text !== undefined; text = (await pieces.next()).value) {
    for (let start = 0, end = 0; start < text.length; start = end + 1) {
      const { collection } = at
      const isRecord = collection !== undefined && text.startsWith(RECORD, start)
      end = text.indexOf(isRecord ? CLOSE : '\n', start)
      if (end < 0) end = text.length - (text.endsWith('\n') ? 1 : 0)
      if (isRecord) {
        passRecords(at, text[end - 1] === ',')
        yield { collection, line, text: text.slice(start + RECORD.length - 1, at.next === 'due' ? end - 1 : end) }
      } else passLine(at, text.slice(start, end))
      line += countLines(text, start, end + 1)
    }
  }
  expect(at.open === 0)
}

/** The place in the JSON between two lines. */
interface Position {
  /** Name of the collection whose array is open; undefined between collections. */
  collection: string | undefined
  /** Another item is required, allowed, or not allowed. */
  next: 'due' | 'possible' | 'wrong'
  /** Brackets of the document that are still to be closed. */
  open: number
}

function expect(holds: boolean): void {
  if (!holds) throw new LayoutError()
}

/** State after an item: a comma requires another one. */
const nextAfter = (hasComma: boolean) => (hasComma ? 'due' : 'wrong')

function passRecords(at: Position, hasComma: boolean): void {
  expect(at.next !== 'wrong')
  at.next = nextAfter(hasComma)
}

/** A line that is no record opens a collection, or closes one or the document. */
function passLine(at: Position, line: string): void {
  const { collection, next, open } = at
  const [, opened, closed] = /^(?: {4}"(\w+)": \[| {4}(\])),?$/.exec(line) ?? []
  if (opened !== undefined) {
    expect(collection === undefined && open === 2 && next !== 'wrong' && line.endsWith('['))
    at.next = 'possible'
  } else if (closed !== undefined) {
    expect(collection !== undefined && next !== 'due')
    at.next = nextAfter(line.endsWith(','))
  } else {
    expect(collection === undefined && next !== 'due' && line === (open === 2 ? '  }' : '}'))
    at.open--
  }
  at.collection = opened
}

function countLines(text: string, start: number, end: number): number {
  let lines = 0
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** Yields the text of bytes, in pieces of whole lines. */
async function* textsOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let begun: Buffer[] = []
  let size = 0
  const textOf = (bytes: Buffer) => {
    if (!isUtf8(bytes)) throw new LayoutError()
    return bytes.toString()
  }
  for await (const bytes of pieces) {
    const end = bytes.lastIndexOf(10) + 1
    if (end > 0) {
      yield textOf(Buffer.concat([...begun, bytes.subarray(0, end)]))
      begun = []
      size = 0
    }
    begun.push(bytes.subarray(end))
    size += bytes.length - end
    if (size > MAX_LINE_LENGTH) throw new LayoutError()
  }
  if (size > 0) yield textOf(Buffer.concat(begun))
}
