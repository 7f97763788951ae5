import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ToolAnnotations } from '@modelcontextprotocol/server'
import * as z from 'zod'
import type { CallName, CallResult } from '../../control/admin/calls.js'
import type { CallParts } from '../../control/client/caller.js'
import { belowPrefix, type Issue, readBySchema } from '../../foundation/schema/issue.js'
import { isInside } from '../../foundation/store/store-folder.js'
import type { AuditOptions } from '../audit/audit.js'
import { bounded } from './bounded.js'

/** Makes control calls, which end when the agent gives the tool up. */
export type BoundCaller = <N extends CallName>(name: N, parts?: CallParts<N>) => Promise<CallResult<N>>

export interface ToolContext {
  name: string
  call: BoundCaller
  /** Makes control calls that remove what the tool has left, also when the agent has given it up. */
  undo: BoundCaller
  url: string
  adminToken: string | undefined
  /** Returns the project's audit file, as `audit` takes it. */
  auditFile(): Promise<Pick<AuditOptions, 'file' | 'folder'>>
  signal: AbortSignal
}

/** A tool as agents see it. `run` throws ToolFailure for arguments that are wrong. */
export interface Tool {
  description: string
  inputSchema: Record<string, unknown>
  annotations: ToolAnnotations
  run(given: Record<string, unknown>, context: ToolContext): Promise<object>
}

interface Composition<I> extends Pick<Tool, 'description'> {
  input: I
  /** `reads`: changes nothing; `changes`: adds to the world or restores it; `removes`: may delete something. */
  effect: 'reads' | 'changes' | 'removes'
  run(input: z.output<I>, context: ToolContext): Promise<object>
}

/** Makes a tool of several control calls. Its answers are bounded. */
export function composedTool<I extends z.ZodObject>({ description, input, effect, run }: Composition<I>): Tool {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return {
    description,
    inputSchema,
    annotations: { readOnlyHint: effect === 'reads', destructiveHint: effect === 'removes', openWorldHint: false },
    async run(given, context) {
      const { data, issues } = readBySchema(input, given)
      if (issues) throw new ToolFailure(`${context.name} was not called`, belowPrefix(issues))
      return bounded(await run(data, context))
    },
  }
}

/** A tool that cannot do what was asked. Its message names the reason and the way out. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure'

  constructor(
    message: string,
    readonly issues: Issue[] = [],
  ) {
    super(message)
  }
}

export const strict = z.strictObject
export const app = z.string().optional().describe('Manifest id or client id')
export const organization = z.string().optional().describe('Slug')
export const anObject = z.record(z.string(), z.unknown())

/** Returns the path of a file below the working folder. @throws ToolFailure for another one, and for a folder. */
export async function pathInFolder(file: string): Promise<string> {
  const folder = await realpath(process.cwd())
  const path = await realpath(resolve(file)).catch(() => {
    throw new ToolFailure(`file ${JSON.stringify(file)} does not exist in ${folder}`)
  })
  if (!isInside(folder, path))
    throw new ToolFailure(`file ${JSON.stringify(file)} is outside the working folder ${folder}`)
  if ((await stat(path)).isDirectory()) throw new ToolFailure(`file ${JSON.stringify(file)} is a folder`)
  return path
}
