import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { parseTree } from 'jsonc-parser'
import type { Path } from '../schema/issue.js'
import { lineAt, nodeNear } from '../schema/json-text.js'
import { StartError } from './start-error.js'
import { FORMAT, rawLines } from './store-document.js'

/** @throws StartError */
export function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new StartError(2, `The store ${file} cannot be read: ${(error as Error).message}`)
  }
}

/** @throws StartError naming the first line that is not UTF-8. */
export function utf8Text(file: string, bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString()
  const { lines } = rawLines(bytes)
  const line = lines.findIndex((each) => !isUtf8(each))
  throw unreadable(file, (line < 0 ? lines.length : line) + 1, 'it is not UTF-8')
}

/** Returns the line of the innermost part of `path` that exists; the first one of a text too large to parse again. */
export function lineOfPath(text: string, path: Path): number {
  const root = text.length < 32 * 1024 * 1024 ? parseTree(text) : undefined
  return root ? lineAt(text, nodeNear(root, path).offset) : 1
}

/** @param writer the version that wrote the file. */
export const otherFormat = (file: string, line: number, format: number, writer: string | undefined, version: string) =>
  unreadableBecause(
    `${file}, line ${line}: it is of format ${format}, which Mockademy ${writer ?? 'of another version'} wrote; ` +
      `this is Mockademy ${version}, which reads formats 1 to ${FORMAT}.`,
    `Use ${writer ? `Mockademy ${writer}` : 'the version that wrote it'} or a later one,`,
  )

/** @param writer the version that wrote the file. */
export const unreadable = (file: string, line: number, why: string, writer?: string) =>
  unreadableBecause(
    `${file}, line ${line}: ${why}.${writer ? ` Mockademy ${writer} wrote it.` : ''}`,
    'Correct or move the file,',
  )

const unreadableBecause = (why: string, remedy: string) =>
  new StartError(
    2,
    `The store cannot be read: ${why} Nothing was changed. ${remedy} or start with --fresh to seed a new store ` +
      '(the old one is kept beside it).',
  )
