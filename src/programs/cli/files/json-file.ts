import { readFile } from 'node:fs/promises'
import { text as readStream } from 'node:stream/consumers'
import { withoutByteOrderMark } from '../../../foundation/schema/byte-order-mark.js'
import { isObject } from '../../../foundation/schema/is-object.js'
import { wrongUse } from '../command/command.js'

/** Returns the JSON object in a file; `-` is standard input. @throws CommandFailure 2 when there is none. */
export async function readJsonFile(file: string): Promise<object> {
  const source = file === '-' ? 'standard input' : file
  const reading = file === '-' ? readStream(process.stdin) : readFile(file, 'utf8')
  const text = await reading.catch(({ message }: Error) => {
    throw wrongUse(`${source} cannot be read: ${message}`)
  })
  return objectIn(text, source)
}

/** Returns the JSON object in `text` or, for `@FILE`, in that file. @throws CommandFailure 2 when there is none. */
export const jsonOrFile = async (text: string, source: string): Promise<object> =>
  text.startsWith('@') ? readJsonFile(text.slice(1)) : objectIn(text, source)

function objectIn(text: string, source: string): object {
  const value = parseJson(text, source)
  if (isObject(value)) return value
  throw wrongUse(`${source}: must be a JSON object`)
}

/** @param source what to call the text in a message. @throws CommandFailure 2 when it is not JSON. */
export function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(withoutByteOrderMark(text))
  } catch (error) {
    throw wrongUse(`${source} is not valid JSON: ${(error as Error).message}`)
  }
}
