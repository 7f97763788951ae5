import { spawn } from 'node:child_process'
import { isGatewayStatus } from '../../../foundation/http/statuses.js'
import { isListening } from '../../../foundation/http-client/is-listening.js'
import { send } from '../../../foundation/http-client/send.js'
import type { TargetRules } from '../../../foundation/http-client/targets.js'
import { pauseOrAbort } from '../../../foundation/time/real-timers.js'
import { originsOf } from '../app/app-under-test.js'
import { Inconclusive } from '../app/failures.js'
import type { AuditContext } from './context.js'
import type { Tenant } from './tenant.js'

const RESTART_MS = 45_000

/** Time after the command in which a supervisor may still restart the app. */
const RESTARTS_LATE_MS = 5_000
/** Time between two requests to an app that may be restarting. */
const LOOK_MS = 100
/** Time after which a connection that is not refused either counts as possible. */
const CONNECT_MS = 1_000

/**
 * Restarts the app with the command of the file.
 * @throws Inconclusive when the command fails or does not end in time, and when the app kept running.
 */
export async function restartApp(context: AuditContext) {
  const { app, file, folder, platform, rules } = context
  const over = new AbortController()
  const signal = AbortSignal.any([context.signal, over.signal])
  const watches = originsOf(app, file).map((origin) =>
    watchConnection(origin, rules, signal).finally(() => over.abort()),
  )
  try {
    await runCommand(file.restart ?? '', folder)
    await pauseOrAbort(RESTARTS_LATE_MS, signal)
  } finally {
    over.abort()
  }
  const seen = await Promise.all(watches)
  if (!seen.includes('ended') && seen.includes('kept')) {
    const why = 'the restart command ended, but the app kept running: it refused and closed no connection'
    throw new Inconclusive(why, { late: false })
  }
  context.forgetSilence()
  // An app may keep its sessions in memory.
  for (const tenant of platform.made) tenant.endSession()
}

/**
 * Sends requests over one connection, one after another, until it shows that the process behind it ended: the connection
 * is refused, cut or closed, or a proxy reports that. Unlike an unused connection, one between two requests does not keep
 * a graceful shutdown waiting. One with a request under way does, and the next one would prolong that: the watch therefore
 * also ends once a new connection is refused.
 * @returns when the signal aborts first, `kept` for a connection that stays open, or `unknown` if each response ends its own.
 */
async function watchConnection(origin: string, targets: TargetRules, signal: AbortSignal) {
  const { Agent } = origin.startsWith('https:') ? await import('node:https') : await import('node:http')
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let [connections, responses, failures] = [0, 0, 0]
  const onConnection = () => void connections++
  const isKept = () => responses > connections
  while (!signal.aborted) {
    const request = { method: 'OPTIONS', url: origin, agent, targets, signal, onConnection }
    const response = await send(request).catch(() => undefined)
    if (response && (await mayConnect(origin, targets))) responses++
    else failures++
    const isReplaced = connections > 1 && isKept()
    const isUnavailable = response && isGatewayStatus(response.status)
    if ((connections > 0 && (failures > 0 || isReplaced)) || isUnavailable) break
    await pauseOrAbort(LOOK_MS, signal)
  }
  agent.destroy()
  if (!signal.aborted) return 'ended'
  return isKept() ? 'kept' : 'unknown'
}

/** Returns false when a new connection is refused, which takes no second. */
const mayConnect = async (origin: string, targets: TargetRules): Promise<boolean> => {
  const begun = performance.now()
  const isOpen = await isListening(origin, CONNECT_MS, targets).catch(() => true)
  return isOpen || performance.now() - begun >= CONNECT_MS
}

/** Restarts the app, and waits until it responds and serves an organization. @throws as `restartApp`. */
export async function serviceAfterRestart(context: AuditContext, tenant: Tenant) {
  await restartApp(context)
  await context.until(tenant.probe, ({ status }) => status !== null, RESTART_MS)
  return tenant.awaitService()
}

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
