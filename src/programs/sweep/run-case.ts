import type { JournalEntry } from '../audit/context/app-requests.js'
import type { AuditContext } from '../audit/context/context.js'
import { AuditFailure, Inconclusive } from '../audit/context/failures.js'
import { restartApp } from '../audit/context/restart.js'
import type { Delivery } from '../audit/context/tenant.js'
import { isAppListening } from '../audit/in-saved-world.js'
import { type Attempt, actionOf, attempt, installationIn, type Subject } from './actions.js'
import { flowOf } from './flows.js'
import { harmsIn } from './harms.js'
import { type Break, type CasePlan, faultOf, needsReinstall, waveOf } from './plan.js'
import { type Point, pointsOf, requestsOf } from './points.js'
import type { StepRecord } from './report.js'
import { SLOW, troubleOf } from './troubles.js'

/** Tries of the expectation, and the real milliseconds between them. sweep: "One case" */
const TRIES = 3
const BETWEEN_TRIES = 1_000
/** Real milliseconds without a request after which a step has ended. */
const QUIET = 60
/** Real milliseconds between two looks at a fault, and those that a restarted app may take to listen. */
const WATCHING = 20
const START = 45_000
/** Everything that is due comes within it, on the organization's clock. */
const RETRIES = '1h'
/** Of a trouble that leaves nothing to arrive. */
const NEVER = Number.POSITIVE_INFINITY

/** Requests and findings of an organization. */
interface Judged {
  /** Requests that the app made for it. */
  requests: number
  /** Findings of level `error`. */
  findings: { rule: string; section: string; message: string }[]
}

export interface CaseRun {
  /** False: the app took another way, so nothing is said. */
  fired: boolean
  steps: StepRecord[]
  /** Index of the try that held; undefined when none did. */
  held: number | undefined
  /** The last try. */
  last: Attempt
  /** None held, and then one after a new installation. */
  reinstalled: boolean
  judged: Judged
  /** Judges the organization again, for what comes late. */
  judge(): Promise<Judged>
  /** Secrets, other organizations' data and incomplete lists in responses. */
  harms: string[]
  entries: number[]
  points: Point[]
}

/**
 * Runs the steps of a flow in a fresh organization, with a trouble or undisturbed, and lets the user try again.
 * sweep: "One case"
 */
export async function runCase(context: AuditContext, plan: CasePlan): Promise<CaseRun> {
  const { flow, steps, breaks } = plan
  const { platform, file } = context
  const { admin } = platform
  const { expects } = flowOf(flow)
  const listed = listedIn(context, plan)
  const tenant = await platform.tenant(listed > 1 ? { [file.list?.of ?? 'elements']: listed } : {})
  const subject: Subject = { context, tenant, browser: context.browser(), listed, wave: waveOf(plan) }

  const armed: (Break & { fault: Awaited<ReturnType<typeof tenant.fault>> | undefined })[] = []
  // One after another: of two faults that match, the older one meets the request.
  for (const each of breaks) {
    const fault = faultOf(plan, each)
    armed.push({ ...each, fault: fault && (await tenant.fault(fault)) })
  }

  const ids: number[] = []
  let requests = 0
  let unread: JournalEntry[] = []
  /** Reads what has been requested since it was last called. @returns how many entries that are. */
  const readEntries = async () => {
    const fresh = await admin.listRequests({ organization: tenant.slug, since: ids.at(-1) ?? 0 })
    ids.push(...fresh.map(({ id }) => id))
    requests += requestsOf(fresh).length
    unread.push(...fresh)
    return fresh.length
  }
  /** Returns the entries that were read since it was last called. */
  const takeEntries = () => {
    const taken = unread
    unread = []
    return taken
  }
  const known = new Set<string>()
  /** Returns the deliveries that were created since it was last called. */
  const readDeliveries = async () => {
    const fresh = (await admin.listDeliveries({ organization: tenant.slug })).filter(({ id }) => !known.has(id))
    for (const { id } of fresh) known.add(id)
    return fresh
  }
  /** Waits until the app makes no request any more, at most `background`, and reads what it made. */
  const quiet = async () => {
    const until = performance.now() + context.patience.background()
    await readEntries()
    do await context.wait(Math.min(QUIET, file.background))
    while ((await readEntries()) > 0 && performance.now() < until)
  }
  /** Lets everything arrive that the schedule has within an hour, and sets the clock back to the machine's. */
  const deliverDue = async () => {
    const open = (await admin.listDeliveries({ organization: tenant.slug })).some(isOpen)
    if (!open) return
    await admin.advanceClock(RETRIES, { organization: tenant.slug })
    await admin.freezeClock(new Date().toISOString(), { organization: tenant.slug })
    await admin.resumeClock({ organization: tenant.slug })
    await context.waitForBackground()
    await readEntries()
  }

  const crashes = armed.filter(({ trouble }) => troubleOf(trouble).restarts)
  /**
   * Restarts the app whenever a fault has met it. @param step what has not met it when the step is over, does not.
   * @returns true when it has restarted it.
   */
  const restartDuring = async (step: Promise<unknown>): Promise<boolean> => {
    const planned = crashes.length
    let isOver = false
    const end = () => {
      isOver = true
    }
    step.then(end, end)
    while (crashes.length > 0) {
      const wasOver = isOver
      const hits = await Promise.all(crashes.map(({ fault }) => fault?.hits()))
      const met = hits.findIndex((count) => Number(count) > 0)
      if (met < 0 && wasOver) break
      if (met < 0) await context.wait(WATCHING)
      else {
        crashes.splice(met, 1)
        await restart(context)
      }
    }
    return crashes.length < planned
  }

  /** Waits until the requests that faults delay are over, also where the app no longer waits for them. */
  const settled = async () => {
    const delaying = armed.flatMap(({ trouble, fault }) => (trouble === 'slow' && fault ? [fault.id] : []))
    const areOver = async () => {
      const met = new Set((await admin.listRequests({ organization: tenant.slug })).map(({ fault }) => fault))
      return delaying.every((id) => met.has(id))
    }
    if (delaying.length > 0) await context.until(areOver, Boolean, 2 * SLOW)
  }

  /** Returns true when the trouble has met the app: what only sends an event again does so here. */
  const hasMet = async ({ point, fault }: (typeof armed)[number]): Promise<boolean> => {
    if (fault) return (await fault.hits()) > 0
    const deliveries = await admin.listDeliveries({ organization: tenant.slug })
    const again = deliveries.filter(({ event }) => event.type === point.operation)[point.occurrence - 1]
    if (again) await admin.redeliver(again.id)
    return again !== undefined
  }

  const seen: { entries: JournalEntry[]; deliveries: Delivery[] }[] = []
  const records: StepRecord[] = []
  const attempts: Attempt[] = []
  let fired = true
  for (const [index, step] of steps.entries()) {
    const occurrence = steps.slice(0, index + 1).filter((each) => each === step).length
    const running = attempt(step, subject, occurrence)
    const isKilled = await restartDuring(running)
    const result = await running
    // A visit that has its response was over before: the app had given the request up, and tried again.
    if (isKilled && result.holds && !actionOf(step).delivers) fired = false
    if (actionOf(step).delivers) await context.waitForBackground()
    await quiet()
    // Work in the background meets it after the step.
    if (await restartDuring(Promise.resolve())) await readEntries()
    if (breaks.some(({ point, trouble }) => index >= point.step + (troubleOf(trouble).arrivesAfter ?? NEVER))) {
      await deliverDue()
    }
    const fresh = takeEntries()
    attempts.push(result)
    records.push({ step, seen: result.seen, holds: result.holds, journal: fresh.map(lineOf) })
    seen.push({ entries: fresh, deliveries: actionOf(step).delivers ? await readDeliveries() : [] })
  }

  for (const each of armed) fired &&= await hasMet(each)
  if (fired) await settled()
  for (const { fault } of armed) await fault?.lift()
  await deliverDue()
  await quiet()
  if (breaks.length > 0) await context.waitForBackground()

  const tries: Attempt[] = []
  const tryAgain = async () => {
    for (let number = 0; number < TRIES; number++) {
      if (number > 0) {
        await context.wait(BETWEEN_TRIES)
        await deliverDue()
      }
      tries.push(await attempt(expects, subject))
      if (tries.at(-1)?.holds) return number
    }
    return undefined
  }
  const held = await tryAgain()
  let reinstalled = false
  if (held === undefined && needsReinstall(plan)) {
    const installed = await installationIn(context, tenant).catch(() => undefined)
    if (installed) await admin.uninstall(installed.id)
    await attempt('install', subject)
    await context.waitForBackground()
    reinstalled = (await tryAgain()) !== undefined
  }
  await quiet()
  const last = tries.at(-1) as Attempt
  records.push({ step: expects, seen: last.seen, holds: held !== undefined, journal: takeEntries().map(lineOf) })
  const judge = async (): Promise<Judged> => ({
    requests,
    findings: (await admin.listFindings({ organization: tenant.slug, level: 'error' })).map(
      ({ rule, section, message }) => ({ rule, section, message }),
    ),
  })
  return {
    fired,
    steps: records,
    held,
    last,
    reinstalled,
    judged: await judge(),
    judge: () => readEntries().then(judge),
    harms: await harmsIn([...attempts, ...tries], subject),
    entries: ids,
    points: pointsOf(seen),
  }
}

/** Returns the records of an organization: where the app lists them, two pages and most of a third. */
export const listedIn = (
  { pageSize }: Pick<AuditContext, 'pageSize'>,
  { flow, steps }: Pick<CasePlan, 'flow' | 'steps'>,
) => (steps.includes('list') || flowOf(flow).expects === 'list' ? Math.floor(pageSize * 2.75) : 1)

/** @throws AuditFailure when the command fails, so that no case can be judged. */
async function restart(context: AuditContext): Promise<void> {
  await restartApp(context).catch((error: Error) => {
    throw error instanceof Inconclusive ? new AuditFailure(error.message) : error
  })
  await context.until(() => isAppListening(context.app, context.file), Boolean, START)
}

const isOpen = ({ state }: Delivery) => state === 'pending' || state === 'retrying'

/** A line of the journal, without what differs between two runs. */
function lineOf({ surface, method, path, status, reason, request }: JournalEntry): string {
  const direction =
    surface === 'webhook' ? `the platform sent ${typeOf(request.body) ?? 'an event'}:` : `${method} ${path}`
  const grant = (request.body as { grant_type?: string } | null)?.grant_type
  return [direction, grant && path === '/oauth/token' && `(${grant})`, status ?? 'no response', reason && `(${reason})`]
    .filter(Boolean)
    .join(' ')
}

const typeOf = (body: unknown) => (body as { type?: string } | null)?.type
