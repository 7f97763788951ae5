import { readFile } from 'node:fs/promises'
import { text as readStream } from 'node:stream/consumers'
import { CommandFailure } from './command-failure.js'

/** The JSON object in a file; `-` is standard input. @throws CommandFailure 2 when there is none. */
export async function readJsonFile(file: string): Promise<object> {
  const source = file === '-' ? 'standard input' : file
  let text: string
  try {
    text = await (file === '-' ? readStream(process.stdin) : readFile(file, 'utf8'))
  } catch (error) {
    throw new CommandFailure(2, `mockademy: ${source} cannot be read: ${(error as Error).message}`)
  }
  const value = parseJson(text, source)
  if (typeof value === 'object' && value !== null) return value
  throw new CommandFailure(2, `mockademy: ${source} must hold a JSON object`)
}

/** @param source what to call the text in a message. @throws CommandFailure 2 when it is not JSON. */
export function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CommandFailure(2, `mockademy: ${source} is not valid JSON: ${(error as Error).message}`)
  }
}

/** The JSON object in `text`, or, of `@FILE`, in that file. @throws CommandFailure 2 when it is none. */
export async function jsonOrFile(text: string, source: string): Promise<object> {
  if (text.startsWith('@')) return readJsonFile(text.slice(1))
  const value = parseJson(text, source)
  if (typeof value === 'object' && value !== null) return value
  throw new CommandFailure(2, `mockademy: ${source} must be a JSON object`)
}
