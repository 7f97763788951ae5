import { spawn } from 'node:child_process'
import { Inconclusive } from '../app/failures.js'
import type { AuditContext } from './context.js'
import type { Tenant } from './tenant.js'

/** Time for a restarted app to respond again. */
const RESTART_MS = 45_000

/** Restarts the app with the command of the file. @throws Inconclusive when the command fails or does not end in time. */
export async function restartApp({ file, folder, platform }: AuditContext) {
  await runCommand(file.restart ?? '', folder)
  // An app may keep its sessions in memory.
  for (const tenant of platform.made) tenant.endSession()
}

/** Probes until the restarted app responds. @returns its first response, or the last failure. */
export const firstResponseAfterRestart = ({ until }: AuditContext, tenant: Tenant) =>
  until(tenant.probe, ({ status }) => status !== null, RESTART_MS)

const selfMatch = 'the pattern of a pkill -f also matches the shell that runs it, so put the command into a script'

const runCommand = (command: string, cwd: string) =>
  new Promise<void>((resolve, reject) => {
    const child = spawn(command, { shell: true, cwd, stdio: 'ignore', timeout: RESTART_MS })
    const giveUp = (why: string) => reject(new Inconclusive(`the restart command ${why}`, { late: false }))
    child.on('error', ({ message }) => giveUp(`could not be run: ${message}`))
    child.on('exit', (code, signal) => {
      if (code === 0) resolve()
      else if (child.killed) giveUp(`did not end within ${RESTART_MS / 1000} s`)
      else giveUp(signal ? `was ended by ${signal}; ${selfMatch}` : `exited with status ${code}`)
    })
  })
