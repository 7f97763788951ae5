import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { promisify } from 'node:util'
import type { Admin } from '../../control/client/admin.js'
import { connectAsRun } from '../../control/client/connect.js'
import { AdminError } from '../../control/client/errors.js'
import { announceRun } from '../../control/client/event-stream.js'
import { isListening } from '../../foundation/http-client/is-listening.js'
import { guardedLookup, normalizeHost, RefusedTarget, type TargetRules } from '../../foundation/http-client/targets.js'
import { pauseOrAbort } from '../../foundation/time/real-timers.js'
import { declaredAddresses, findAppUnderTest, originsOf } from './app/app-under-test.js'
import { AuditFailure } from './app/failures.js'
import { type AuditFile, inOrganization } from './app/file.js'
import { type AuditContext, createContext } from './context/context.js'
import { removeLeftovers, restoreWorld, saveWorld } from './saved-world.js'
import { poll } from './timing/polling.js'

const CONNECT_TIMEOUT_MS = 15_000
const APP_START_MS = 10_000

interface RunParts {
  /** The names of what the run makes begin with it. */
  kind: 'audit' | 'sweep'
  url: string
  adminToken?: string | undefined
  file: AuditFile
  /** Paths and commands of the file are relative to it. */
  folder: string
  liberties?: string | undefined
  signal?: AbortSignal | undefined
  onNote?: ((note: string) => void) | undefined
}

/**
 * Runs `work` on an app that runs, and restores the emulator's world when it ends, however it ends.
 * audit: "Rules of a fair audit" 2
 * @throws AuditFailure when emulator or app cannot be reached or may not be called, there is no such app, or another run is running.
 */
export async function inSavedWorld<T>(parts: RunParts, work: (context: AuditContext) => Promise<T>): Promise<T> {
  const { kind, url, adminToken, file, folder, liberties, signal = new AbortController().signal, onNote } = parts
  const run = `${kind}-${randomBytes(4).toString('hex')}`
  const admin = connectAsRun(url, run, { adminToken })
  const world = await admin.world().catch((error: Error) => {
    throw new AuditFailure(error.message, { cause: error })
  })
  return runAlone(admin, run, parts, async () => {
    const removed = await removeLeftovers(admin)
    if (removed !== undefined) onNote?.(removed)
    // A killed run may have left a version of it.
    const app = await findAppUnderTest(admin, file.app)
    await mustHaveAddresses(file, world.settings)
    await mustListen({ app, file, rules: world.settings }, signal)

    // Aborted at the end: late requests must not touch the restored world.
    const closing = new AbortController()
    const ending = AbortSignal.any([signal, closing.signal])
    // Every request under way listens to it.
    setMaxListeners(0, ending)
    // Its calls end with the run: by then, the world is being restored.
    const ownAdmin = connectAsRun(url, run, { adminToken }, ending)
    const context = await createContext({ run, app, file, folder, admin: ownAdmin, world, signal: ending })
    const snapshot = await saveWorld(admin, run)
    try {
      await takeLiberties(admin, kind, liberties)
      const result = await work(context)
      await mustBeWhole(admin, context, kind)
      return result
    } catch (error) {
      if (error instanceof AdminError) await mustBeWhole(admin, context, kind)
      throw error
    } finally {
      closing.abort()
      await restoreWorld(admin, snapshot, context.platform.made, signal.aborted)
    }
  })
}

/** Does the work of a run alone: two would remove each other's organizations. @throws AuditFailure when another one runs. */
async function runAlone<T>(admin: Admin, run: string, { url, adminToken }: RunParts, work: () => Promise<T>) {
  const over = new AbortController()
  try {
    await announceRun(url.replace(/\/$/, ''), adminToken, run, over.signal)
    const [first] = (await admin.world()).runs
    if (first === run) return await work()
    const advice = 'wait until it ends, or start another emulator for this one'
    throw new AuditFailure(`${first} is running against the emulator at ${url}; ${advice}`)
  } finally {
    over.abort()
  }
}

/** @throws AuditFailure when organizations of the run are gone. An app's loss of data would be no fault of the app. */
async function mustBeWhole(admin: Admin, { platform: { made } }: AuditContext, kind: RunParts['kind']): Promise<void> {
  const slugs = (await admin.listOrganizations()).map(({ slug }) => slug)
  if (made.every(({ slug }) => slugs.includes(slug))) return
  const what = `the emulator's world was replaced during the ${kind}, e.g. by a reset`
  throw new AuditFailure(`${what}; run it again without changing the world`)
}

/**
 * Takes the liberties of a run. A sweep compares organizations and counts their requests, so that pages have one size in
 * all of them. sweep: "Rules" 2
 */
async function takeLiberties(admin: Admin, kind: RunParts['kind'], given: string | undefined): Promise<void> {
  const { seed, kinds } = await admin.getLiberties()
  if (kind === 'audit' && given) await admin.setLiberties({ seed: given })
  const taken = given || seed
  if (kind === 'sweep' && taken) await admin.setLiberties({ seed: taken, kinds: [...kinds, '-page-size'] })
}

/** @throws AuditFailure for a host of the file that has no address or may not be called. wire: §7 "who is called" */
async function mustHaveAddresses(file: AuditFile, rules: TargetRules): Promise<void> {
  for (const [key, address] of declaredAddresses(file)) {
    if (address === undefined) continue
    const { hostname } = new URL(inOrganization(address, 'organization'))
    try {
      await promisify(guardedLookup(rules))(normalizeHost(hostname), {})
    } catch (error) {
      const why = error instanceof RefusedTarget ? '' : 'the host cannot be reached: '
      throw new AuditFailure(`${key}: ${why}${(error as Error).message}`)
    }
  }
}

type Target = Pick<AuditContext, 'app' | 'file' | 'rules'>

/** Waits for an app that has just been started. @throws AuditFailure when nothing listens where it should be. */
async function mustListen(target: Target, signal: AbortSignal): Promise<void> {
  const { app, file } = target
  const origins = originsOf(app, file)
  if (origins.length === 0) throw new AuditFailure(`app: the manifest of ${app.id} declares no URL to audit`)
  const wait = (ms: number) => pauseOrAbort(ms, signal)
  const isOver = (tries: Try[]) => tries.some(isOpen) || tries.every(isRefused) || signal.aborted
  const { value: tries } = await poll(() => tryOrigins(target), isOver, { within: APP_START_MS, wait })
  if (tries.some(isOpen)) return
  const refused = tries.find(isRefused)
  throw new AuditFailure(refused?.reason.message ?? `nothing listens at ${origins.join(' or ')}; is the app running?`)
}

/** Returns true when an origin of the app accepts a connection. */
export const isAppListening = async (target: Target): Promise<boolean> => (await tryOrigins(target)).some(isOpen)

type Try = PromiseSettledResult<boolean>

/** Connects to each origin of the app; rejected are those that may not be called. wire: §7 "who is called" */
const tryOrigins = ({ app, file, rules }: Target): Promise<Try[]> =>
  Promise.allSettled(originsOf(app, file).map(async (origin) => isListening(origin, CONNECT_TIMEOUT_MS, rules)))

const isOpen = (each: Try) => each.status === 'fulfilled' && each.value
const isRefused = (each: Try) => each.status === 'rejected'
