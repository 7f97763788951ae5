import { grantOf, type JournalEntry } from '../audit/app/app-requests.js'
import { mayHoldSecret } from '../audit/app/secrets.js'
import type { AuditContext } from '../audit/context/context.js'
import { actionOf, attempt, installationIn, type StepResult, type Subject } from './actions.js'
import { armTroubles } from './arm-troubles.js'
import { flowOf } from './flows.js'
import { watchOrganization } from './organization-watch.js'
import { arrivalOf, type CasePlan, mayKillRefresh, needsReinstall, occurrenceOf, waveOf } from './plan.js'
import { pointsOf } from './points.js'
import type { StepRecord } from './report.js'

/** Tries of the expectation, and the real milliseconds between them. sweep: "One case" */
const TRIES = 3
const BETWEEN_TRIES = 1_000

export type CaseRun = Awaited<ReturnType<typeof runCase>>

/** Rules that an app breaks which was killed between a refresh and storing its tokens. */
export const lostRefreshRules = ['refresh_reuse', 'concurrent_refresh']

interface RunningCase {
  plan: CasePlan
  subject: Subject
  troubles: Awaited<ReturnType<typeof armTroubles>>
  watch: ReturnType<typeof watchOrganization>
}

/**
 * Runs the steps of a flow in a fresh organization, with a trouble or undisturbed, and lets the user try again.
 * sweep: "One case"
 */
export async function runCase(context: AuditContext, plan: CasePlan) {
  const { expects } = flowOf(plan.flow)
  const listed = listedIn(context, plan)
  const tenant = await context.platform.tenant(listed > 1 ? { [context.file.list?.of ?? 'elements']: listed } : {})
  const subject: Subject = { context, tenant, browser: context.browser(), listed, wave: waveOf(plan) }
  const troubles = await armTroubles(context, tenant, plan)
  const watch = watchOrganization(context, tenant)
  const runningCase = { plan, subject, troubles, watch }

  const { attempts, steps, points, wasReached } = await takeSteps(runningCase)
  const fired = wasReached && (await troubles.meetRest())
  if (fired) await troubles.settle()
  await troubles.lift()
  await watch.deliverDue()
  if (plan.breaks.length > 0) {
    await context.waitForBackground()
    if ((await watch.readEntries()) > 0) await watch.quiet()
  }

  const tries: StepResult[] = []
  const held = await tryAgain(runningCase, tries)
  const mayReinstall = async () => needsReinstall(plan) || (mayKillRefresh(plan) && (await hasLostRefresh(subject)))
  const reinstalled = held === undefined && (await mayReinstall()) && (await helpsToReinstall(runningCase, tries))
  await watch.quiet()
  const last = tries.at(-1) as StepResult
  const journal = watch.takeEntries().map(lineOf)
  const first = Math.min(...plan.breaks.map(({ point }) => point.step))
  return {
    /** False: nothing is said. */
    fired,
    /** The step that failed before the trouble could come. */
    missed: fired ? undefined : steps.find(({ holds }, index) => index <= first && !holds),
    steps: [...steps, { step: expects, seen: last.seen, holds: held !== undefined, journal }],
    /** Index of the try that held; undefined when none did. */
    held,
    last,
    /** None held, and then one after a new installation. */
    reinstalled,
    judged: await watch.judge(),
    /** Judges the organization again, for what comes late. */
    judge: watch.judge,
    harms: await harmsIn([...attempts, ...tries], subject),
    entries: watch.ids,
    /** Points of an undisturbed run. */
    points,
  }
}

/** Takes the steps one after another, each with the restarts and deliveries that its troubles want. */
async function takeSteps({ plan, subject, troubles, watch }: RunningCase) {
  const { steps, breaks } = plan
  const { context } = subject
  const attempts: StepResult[] = []
  const records: StepRecord[] = []
  const seen: Parameters<typeof pointsOf>[0] = []
  let wasReached = true
  for (const [index, step] of steps.entries()) {
    const { delivers, unnoticed } = actionOf(step)
    const running = attempt(step, subject, occurrenceOf(steps, index))
    const isKilled = await troubles.restartDuring(running)
    const result = await running
    // A visit that has its response was over before: the app had given the request up, and tried again.
    if (isKilled && result.holds && !delivers) wasReached = false
    if (delivers) await context.waitForBackground()
    if (!unnoticed) await watch.quiet()
    // Work in the background meets it after the step.
    if (await troubles.restartDuring(Promise.resolve())) await watch.readEntries()
    if (breaks.some((each) => index >= (arrivalOf(steps, each) ?? steps.length))) await watch.deliverDue()
    const entries = watch.takeEntries()
    attempts.push(result)
    records.push({ step, seen: result.seen, holds: result.holds, journal: entries.map(lineOf) })
    const isCounted = breaks.length === 0 && delivers
    seen.push({ step, entries, deliveries: isCounted ? await watch.readDeliveries() : [] })
  }
  return { attempts, steps: records, points: pointsOf(seen), wasReached }
}

/** Does what the flow is for, as a user would. @returns the index of the try that held; undefined when none did. */
async function tryAgain({ plan, subject, watch }: RunningCase, tries: StepResult[]): Promise<number | undefined> {
  for (let number = 0; number < TRIES; number++) {
    if (number > 0) {
      await subject.context.wait(BETWEEN_TRIES)
      await watch.deliverDue()
    }
    const last = await attempt(flowOf(plan.flow).expects, subject)
    tries.push(last)
    if (last.holds) return number
  }
  return undefined
}

/** Returns true when the app has sent a refresh token that had been used: the kill may have kept it from storing the new one. */
async function hasLostRefresh({ context, tenant }: Subject): Promise<boolean> {
  const findings = await context.platform.admin.listFindings({ organization: tenant.slug })
  return findings.some(({ rule }) => lostRefreshRules.includes(rule))
}

/** Installs the app anew. @returns true when a user can do then what failed before. */
async function helpsToReinstall(runningCase: RunningCase, tries: StepResult[]): Promise<boolean> {
  const { subject } = runningCase
  const { context, tenant } = subject
  const installed = await installationIn(context, tenant).catch(() => undefined)
  if (installed) await context.platform.admin.uninstall(installed.id)
  await attempt('install', subject)
  await context.waitForBackground()
  return (await tryAgain(runningCase, tries)) !== undefined
}

/** Returns the harms that responses show, without what differs between two runs. */
export async function harmsIn(attempts: StepResult[], { context, tenant }: Subject): Promise<string[]> {
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

/** Returns the records of an organization: where the app lists them, two pages and most of a third. */
export const listedIn = (
  { pageSize }: Pick<AuditContext, 'pageSize'>,
  { flow, steps }: Pick<CasePlan, 'flow' | 'steps'>,
) => (steps.includes('list') || flowOf(flow).expects === 'list' ? Math.max(3, Math.floor(pageSize * 2.75)) : 1)

/** Returns a line of the journal, without what differs between two runs. */
function lineOf(entry: JournalEntry): string {
  const { surface, method, path, status, reason, request } = entry
  const direction =
    surface === 'webhook' ? `the platform sent ${typeOf(request.body) ?? 'an event'}:` : `${method} ${path}`
  const grant = grantOf(entry)
  return [direction, grant && path === '/oauth/token' && `(${grant})`, status ?? 'no response', reason && `(${reason})`]
    .filter(Boolean)
    .join(' ')
}

const typeOf = (body: unknown) => (body as { type?: string } | null)?.type
