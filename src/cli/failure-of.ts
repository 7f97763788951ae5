import { Refusal } from '../http/refusal.js'
import type { Issue } from '../schema/issue.js'
import { StartRefusal } from '../store/start-refusal.js'
import { InvalidSettings } from '../world/settings.js'
import { CommandFailure } from './command-failure.js'

/** What to tell the user of an error, and the exit status: one clear message, never a stack trace. control-api: "CLI" */
export function failureOf(error: unknown): { exitStatus: number; message: string } {
  if (error instanceof CommandFailure) return error
  if (error instanceof Refusal) return { exitStatus: 2, message: listed(error.message, error.details) }
  if (error instanceof InvalidSettings)
    return { exitStatus: 2, message: listed('Settings are not valid', error.issues) }
  if (error instanceof StartRefusal) return { exitStatus: error.exitStatus, message: `mockademy: ${error.message}` }
  const message = error instanceof Error ? error.message : String(error)
  return { exitStatus: 1, message: `mockademy: ${message}` }
}

/** A message with each of its issues on a line of its own. */
function listed(message: string, issues: Issue[] = []): string {
  const lines = issues.map(({ path, message }) => `  ${path.replace(/: $/, '')}${path ? ': ' : ''}${message}`)
  return [`mockademy: ${message}${lines.length > 0 ? ':' : ''}`, ...lines].join('\n')
}
