import { realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import * as z from 'zod'
import { ToolFailure } from './composed-tool.js'

export const strict = z.strictObject
export const app = z.string().optional().describe('Manifest id or client id')
export const organization = z.string().optional().describe('Slug')
export const anObject = z.record(z.string(), z.unknown())

/** Returns the path of a file below the working folder. @throws ToolFailure for another one. */
export async function pathInFolder(file: string): Promise<string> {
  const folder = await realpath(process.cwd())
  const path = await realpath(resolve(file)).catch(() => {
    throw new ToolFailure(`file ${JSON.stringify(file)} does not exist in ${folder}`)
  })
  if (path.startsWith(folder + sep)) return path
  throw new ToolFailure(`file ${JSON.stringify(file)} is outside the working folder ${folder}`)
}
