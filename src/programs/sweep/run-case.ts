import type { JournalEntry } from '../audit/context/app-requests.js'
import type { AuditContext } from '../audit/context/context.js'
import { AuditFailure, Inconclusive } from '../audit/context/failures.js'
import { restartApp } from '../audit/context/restart.js'
import type { Delivery } from '../audit/context/tenant.js'
import { isAppListening } from '../audit/in-saved-world.js'
import { type Attempt, actionOf, attempt, BURST, installationIn, type Subject, waveOf } from './actions.js'
import { type ActionName, type FlowName, flowOf } from './flows.js'
import { nameOf, type Point, passedBefore, pointsOf, requestsOf } from './points.js'
import type { StepRecord } from './report.js'
import { needsReinstall, SLOW, type TroubleName, troubleOf } from './troubles.js'

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

/** A trouble at a point. */
export interface Break {
  point: Point
  trouble: TroubleName
}

/** A flow, or the part of it that reduction leaves, with one trouble at one point. */
export interface CasePlan extends Break {
  flow: FlowName
  steps: readonly ActionName[]
  /** A second trouble, at a later request. */
  also?: Break | undefined
  /** The points of these steps without trouble, in order. */
  points: Point[]
}

/** What the emulator has seen of an organization. */
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
export async function runCase(
  context: AuditContext,
  {
    flow,
    steps,
    trouble,
  }: Pick<CasePlan, 'flow' | 'steps'> & { trouble?: Pick<CasePlan, 'point' | 'trouble' | 'points' | 'also'> },
): Promise<CaseRun> {
  const { platform, file } = context
  const { admin } = platform
  const of = file.list?.of ?? 'elements'
  const listed = listedIn(context, { flow, steps })
  const tenant = await platform.tenant(listed > 1 ? { [of]: listed } : {})
  const wave = trouble ? waveOf(trouble.points, steps, trouble.point) : BURST
  const subject: Subject = { context, tenant, browser: context.browser(), listed, wave }
  const { expects } = flowOf(flow)

  const kind = trouble && troubleOf(trouble.trouble)
  const fault =
    trouble && kind?.fault
      ? await tenant.fault({
          match: trouble.point.match,
          ...kind.fault,
          times: 1,
          after: passedBefore(trouble.point, trouble.points),
        })
      : undefined

  const second = trouble?.also && (await tenant.fault(secondFault(trouble, trouble.also)))

  let mark = 0
  const deliveries = new Set<string>()
  /** Reads what has happened since it was last read. */
  const readNew = async () => {
    const entries = await admin.listRequests({ organization: tenant.slug })
    const all = await admin.listDeliveries({ organization: tenant.slug })
    const fresh = {
      entries: entries.filter(({ id }) => id > mark),
      deliveries: all.filter(({ id }) => !deliveries.has(id)),
    }
    mark = entries.at(-1)?.id ?? mark
    for (const { id } of all) deliveries.add(id)
    return fresh
  }
  const count = () => admin.countRequests({ organization: tenant.slug }).then(({ count }) => count)
  /** Waits until the app makes no request any more, at most `background`. */
  const quiet = async () => {
    const until = performance.now() + context.patience.background()
    for (let before = -1, now = await count(); before !== now && performance.now() < until; now = await count()) {
      before = now
      await context.wait(Math.min(QUIET, file.background))
    }
  }
  /** Lets everything arrive that the schedule has within an hour, and sets the clock back to the machine's. */
  const deliverDue = async () => {
    const open = (await admin.listDeliveries({ organization: tenant.slug })).some(isOpen)
    if (!open) return
    await admin.advanceClock(RETRIES, { organization: tenant.slug })
    await admin.freezeClock(new Date().toISOString(), { organization: tenant.slug })
    await admin.resumeClock({ organization: tenant.slug })
    await context.waitForBackground()
  }

  let hasRestarted = false
  /** Restarts the app once the fault has met it. @param until the step is over: what has not met it until then does not. */
  const restartDuring = async (step: Promise<unknown>) => {
    let isOver = false
    const end = () => {
      isOver = true
    }
    step.then(end, end)
    const hasMet = async () => ((await fault?.hits()) ?? 0) > 0
    while (!(await hasMet())) {
      if (isOver) return
      await context.wait(WATCHING)
    }
    hasRestarted = true
    await restartApp(context).catch((error: Error) => {
      throw error instanceof Inconclusive ? new AuditFailure(error.message) : error
    })
    await context.until(() => isAppListening(context.app, file), Boolean, START)
  }

  /** Waits until the request that a fault delays is over, also where the app no longer waits for it. */
  const settled = async () => {
    const delaying = trouble?.trouble === 'slow' ? fault : trouble?.also?.trouble === 'slow' ? second : undefined
    const isOver = async () =>
      (await admin.listRequests({ organization: tenant.slug })).some((entry) => entry.fault === delaying?.id)
    if (delaying) await context.until(isOver, Boolean, 2 * SLOW)
  }

  const seen: { entries: JournalEntry[]; deliveries: Delivery[] }[] = []
  const records: StepRecord[] = []
  const attempts: Attempt[] = []
  for (const [index, step] of steps.entries()) {
    const occurrence = steps.slice(0, index + 1).filter((each) => each === step).length
    const running = attempt(step, subject, occurrence)
    if (kind?.restarts && !hasRestarted) await restartDuring(running)
    const result = await running
    if (actionOf(step).delivers) await context.waitForBackground()
    await quiet()
    // Work in the background meets it after the step.
    if (kind?.restarts && !hasRestarted) await restartDuring(Promise.resolve())
    if (kind?.arrivesAfter !== undefined && index >= (trouble?.point.step ?? 0) + kind.arrivesAfter) await deliverDue()
    const fresh = await readNew()
    attempts.push(result)
    records.push({ step, seen: result.seen, holds: result.holds, journal: fresh.entries.map(lineOf) })
    seen.push(fresh)
  }

  const fired = await hasFired()
  if (fired) await settled()
  await fault?.lift()
  await second?.lift()
  await deliverDue()
  await quiet()
  if (trouble) await context.waitForBackground()
  const rest = await readNew()

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
  if (held === undefined && trouble && needsReinstall(trouble)) {
    const installed = await installationIn(context, tenant).catch(() => undefined)
    if (installed) await admin.uninstall(installed.id)
    await attempt('install', subject)
    await context.waitForBackground()
    reinstalled = (await tryAgain()) !== undefined
  }
  await quiet()
  const afterwards = await readNew()
  const after = [...rest.entries, ...afterwards.entries]
  const last = tries.at(-1) as Attempt
  records.push({ step: expects, seen: last.seen, holds: held !== undefined, journal: after.map(lineOf) })
  const entries = [...seen.flatMap((each) => each.entries), ...after]
  const judge = async (): Promise<Judged> => ({
    requests: requestsOf(await admin.listRequests({ organization: tenant.slug })).length,
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
    judge,
    harms: await harmsIn([...attempts, ...tries], subject),
    entries: entries.map(({ id }) => id),
    points: pointsOf(seen),
  }

  async function hasFired(): Promise<boolean> {
    if (!trouble || !kind) return true
    if (fault) return (await fault.hits()) > 0 && (!second || (await second.hits()) > 0)
    const { operation, occurrence } = trouble.point
    const all = await admin.listDeliveries({ organization: tenant.slug })
    const again = all.filter(({ event }) => event.type === operation)[occurrence - 1]
    if (!again) return false
    await admin.redeliver(again.id)
    return true
  }
}

/** Returns the records of an organization: where the app lists them, two pages and most of a third. */
export const listedIn = (
  { pageSize }: Pick<AuditContext, 'pageSize'>,
  { flow, steps }: Pick<CasePlan, 'flow' | 'steps'>,
) => (steps.includes('list') || flowOf(flow).expects === 'list' ? Math.floor(pageSize * 2.75) : 1)

/** The first fault keeps its request from the second, which counts one less. */
export function secondFault({ point, points }: Pick<CasePlan, 'point' | 'points'>, also: Break) {
  const first = points.findIndex((each) => nameOf(each) === nameOf(point))
  const after = passedBefore(also.point, points.toSpliced(first, 1))
  return { match: also.point.match, effect: {}, ...troubleOf(also.trouble).fault, times: 1, after }
}

/** `flow/point/trouble`, and of two troubles `flow/point+point/trouble+trouble`. */
export function idOf({ flow, also, ...first }: Pick<CasePlan, 'flow' | 'point' | 'trouble' | 'also'>): string {
  const breaks = [first, ...(also ? [also] : [])]
  return [
    flow,
    breaks.map(({ point }) => nameOf(point)).join('+'),
    breaks.map(({ trouble }) => trouble).join('+'),
  ].join('/')
}

const isOpen = ({ state }: Delivery) => state === 'pending' || state === 'retrying'

/** Returns the harms that responses show, without what differs between two runs. */
async function harmsIn(attempts: Attempt[], { context, tenant }: Subject): Promise<string[]> {
  const { run, secrets, platform } = context
  const exchanges = attempts.flatMap((each) => each.exchanges)
  const bodies = exchanges.map(({ response }) => response.body)
  if (bodies.some((body) => mayHoldSecret.test(body))) await platform.learnSecrets()
  const secretsFound = new Set(bodies.flatMap((body) => secrets.foundIn(body)))
  const ofRun = new RegExp(`${run}-\\d{4}`, 'g')
  const strangers = bodies.some((body) => [...body.matchAll(ofRun)].some(([slug]) => slug !== tenant.slug))
  return [
    ...new Set([
      ...attempts.flatMap(({ harm }) => harm ?? []),
      ...[...secretsFound].map((kind) => `a response of the app holds the ${kind}`),
      ...(strangers ? ["a response of the app holds another organization's data"] : []),
    ]),
  ]
}

const mayHoldSecret = /\b[a-z]{2}_\w{12,}|\beyJ/

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
