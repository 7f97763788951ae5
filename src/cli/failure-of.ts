import { Refusal } from '../refusal.js'
import { StartRefusal } from '../start-refusal.js'
import { CommandFailure } from './command-failure.js'

/** What to tell the user of an error, and the exit status: one clear message, never a stack trace. control-api: "CLI" */
export function failureOf(error: unknown): { exitStatus: number; message: string } {
  if (error instanceof CommandFailure) return error
  if (error instanceof Refusal) return { exitStatus: 2, message: listed(error) }
  if (error instanceof StartRefusal) return { exitStatus: error.exitStatus, message: `mockademy: ${error.message}` }
  const message = error instanceof Error ? error.message : String(error)
  return { exitStatus: 1, message: `mockademy: ${message}` }
}

/** A refusal with each of its faults on a line of its own. */
function listed({ message, details = [] }: Refusal): string {
  const faults = details.map(({ path, message }) => `  ${path.replace(/: $/, '')}${path ? ': ' : ''}${message}`)
  return [`mockademy: ${message}${faults.length > 0 ? ':' : ''}`, ...faults].join('\n')
}
