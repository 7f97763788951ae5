import { AdminError } from '../../../control/client/errors.js'
import { InvalidFixturesError } from '../../../control/start/invalid-fixtures-error.js'
import type { Issue } from '../../../foundation/schema/issue.js'
import { InvalidOptionsError } from '../../../foundation/schema/options.js'
import { StartError } from '../../../foundation/store/start-error.js'
import { AuditFailure } from '../../audit/app/failures.js'
import { visible, visibleLines } from '../../reports/visible.js'
import { CommandFailure, wrongUse } from './command.js'

type Failure = Pick<CommandFailure, 'exitStatus' | 'message'>

/** Returns the message for an error, never a stack trace, and the exit status. control-api: "CLI" */
export function failureOf(error: unknown): Failure {
  if (error instanceof CommandFailure) return error
  if (error instanceof AuditFailure) {
    return error.cause ? { ...failureOf(error.cause), exitStatus: 2 } : wrongUse(error.message)
  }
  if (error instanceof InvalidFixturesError) return invalidInput(error.summary, error.issues)
  if (error instanceof InvalidOptionsError) return invalidInput('Invalid options', error.issues)
  const status = error instanceof AdminError ? error.status : undefined
  if (error instanceof AdminError && status === 400 && error.problem.errors) {
    return invalidInput(error.problem.title ?? 'The emulator rejected the call', error.problem.errors)
  }
  const flags = status === 401 ? ' (--admin-token or MOCKADEMY_ADMIN_TOKEN)' : ''
  const message = visible(`mockademy: ${error instanceof Error ? error.message : error}${flags}`)
  if (error instanceof StartError) return { exitStatus: error.exitStatus, message }
  return { exitStatus: status === 400 ? 2 : 1, message }
}

/** Prints the message of `failureOf` to standard error. @returns the exit status. */
export function printFailure(error: unknown): number {
  const { exitStatus, message } = failureOf(error)
  process.stderr.write(`${visibleLines(message)}\n`)
  return exitStatus
}

const invalidInput = (message: string, issues: Issue[]): Failure => ({
  exitStatus: 2,
  message: [
    visible(`mockademy: ${message}${issues.length > 0 ? ':' : ''}`),
    ...issues.map(({ path, message }) => visible(`  ${path.replace(/: $/, '')}${path ? ': ' : ''}${message}`)),
  ].join('\n'),
})
