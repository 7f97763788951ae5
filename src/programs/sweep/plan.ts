import type { FaultBody } from '../audit/context/tenant.js'
import { capitalized } from '../reports/capitalized.js'
import { type ActionName, actionOf, BURST } from './actions.js'
import { type FlowName, flowOf } from './flows.js'
import { nameOf, type Point, passedBefore } from './points.js'
import { type TroubleName, troubleOf, troublesAt } from './troubles.js'

/** Flows in which two troubles are tried, and those that one of the two is. sweep: "Points and troubles" */
const PAIRED: readonly FlowName[] = ['install', 'refresh']
const FIRST: readonly TroubleName[] = ['lost', 'crash-after']

export interface Break {
  point: Point
  trouble: TroubleName
}

/** A flow, or the part of it that reduction leaves, with the troubles of a case. */
export interface CasePlan {
  flow: FlowName
  steps: readonly ActionName[]
  /** One, or two in a pair; none in an undisturbed run. */
  breaks: readonly Break[]
  /** The points of these steps without trouble, in order; none where they are still to be found. */
  points: readonly Point[]
  /** The response to what the flow ends with, undisturbed: of several declared statuses, the one that the app has. */
  status?: number | null | undefined
}

/**
 * Returns the index of the step after which the schedule brings the event that a trouble delayed; undefined if it delayed
 * none. A late event comes after the next one, which it may undo, or after the next step if no event follows.
 */
export function arrivalOf(steps: readonly ActionName[], { point, trouble }: Break): number | undefined {
  const { arrivesAfter } = troubleOf(trouble)
  if (arrivesAfter !== 'next') return arrivesAfter && point.step
  const next = steps.findIndex((step, index) => index > point.step && actionOf(step).delivers)
  return next < 0 ? Math.min(point.step + 1, steps.length - 1) : next
}

/**
 * Returns the troubles of each case of a flow: one at one point, and with `pairs` also a response that is lost and then
 * anything at a later request, or at a delivery.
 */
export function breaksOf(
  { flow, points }: { flow: FlowName; points: readonly Point[] },
  { canRestart, pairs }: { canRestart: boolean; pairs: boolean },
): Break[][] {
  const all = points.flatMap((point) => troublesAt(point, canRestart).map((trouble) => ({ point, trouble })))
  const firsts = pairs && PAIRED.includes(flow) ? all.filter(({ trouble }) => FIRST.includes(trouble)) : []
  const isLater = (first: Break, { point }: Break) =>
    point.surface === 'webhook' || points.indexOf(point) > points.indexOf(first.point)
  return [
    ...all.map((each) => [each]),
    ...firsts.flatMap((first) => all.filter((each) => isLater(first, each)).map((second) => [first, second])),
  ]
}

/** `flow/point/trouble`, and of two troubles `flow/point+point/trouble+trouble`. */
export const idOf = ({ flow, breaks }: Pick<CasePlan, 'flow' | 'breaks'>): string =>
  [flow, breaks.map(({ point }) => nameOf(point)).join('+'), breaks.map(({ trouble }) => trouble).join('+')].join('/')

/** Returns how often a step has come by its index, which names it among its kind. */
export const occurrenceOf = (steps: readonly ActionName[], index: number): number =>
  steps.slice(0, index + 1).filter((each) => each === steps[index]).length

/** Returns what makes a case: two that have it in common are one. */
export const keyOf = (plan: CasePlan): string =>
  [flowOf(plan.flow).expects, ...plan.steps, idOf(plan).replace(/^[^/]+/, '')].join(' ')

/**
 * Returns the fault of a trouble; undefined where the event is only sent again. A fault keeps its request from those of
 * the troubles after it, so they count one less.
 */
export function faultOf({ breaks, points }: CasePlan, each: Break): FaultBody | undefined {
  const { fault } = troubleOf(each.trouble)
  if (!fault) return undefined
  const kept = breaks.slice(0, breaks.indexOf(each)).map(({ point }) => nameOf(point))
  const after = passedBefore(
    each.point,
    points.filter((point) => !kept.includes(nameOf(point))),
  )
  return { match: each.point.match, ...fault, times: 1, ...(after > 0 && { after }) }
}

/** Returns those requests of a burst that wait for no refresh, and the troubles that meet one of them. */
function firstWave({ points, steps, breaks }: CasePlan) {
  const step = steps.indexOf('burst')
  const inBurst = points.filter((point) => point.step === step)
  const refresh = inBurst.findIndex(({ surface }) => surface === 'oauth')
  const wave = inBurst.slice(0, refresh < 0 ? undefined : refresh).filter(({ surface }) => surface === 'api')
  return { wave, met: breaks.filter(({ point }) => wave.some((each) => nameOf(each) === nameOf(point))) }
}

/** Returns how many first requests of a burst can wait for each other: none that a trouble keeps from the platform. */
export function waveOf(plan: CasePlan): number {
  if (plan.breaks.length === 0) return BURST
  const { wave, met } = firstWave(plan)
  return Math.min(BURST, wave.length) - met.length
}

/** A restart of the app must not meet other cases. */
export const restarts = ({ breaks }: CasePlan): boolean => breaks.some(({ trouble }) => troubleOf(trouble).restarts)

/** The app is killed while other requests of the burst may have a refresh under way, whose tokens are lost with it. */
export const mayKillRefresh = (plan: CasePlan): boolean =>
  firstWave(plan).met.some(({ trouble }) => troubleOf(trouble).restarts)

/** The platform itself leaves no way but a new installation. sweep: "reinstalled" */
export const needsReinstall = ({ breaks }: CasePlan): boolean =>
  breaks.some(
    ({ point, trouble }) =>
      point.operation === 'POST-oauth-token-refresh' && ['lost', 'garbled', 'crash-after'].includes(trouble),
  )

/** Returns the troubles in words. sweep: "One case" */
export const describeTrouble = ({ breaks }: CasePlan): string =>
  capitalized(breaks.map(({ point, trouble }) => troubleOf(trouble).words(pointInWords(point))).join(', and '))

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth']

function pointInWords({ operation, occurrence, surface }: Point): string {
  const ordinal = ordinals[occurrence - 1] ?? `${occurrence}th`
  if (operation === 'POST-oauth-token-refresh') return `the ${ordinal} refresh`
  if (operation === 'POST-oauth-token-authorization_code') return `the ${ordinal} exchange of a code`
  if (surface === 'webhook') return `the ${ordinal} ${operation}`
  return `the ${ordinal} ${operation.replace('-', ' /').replaceAll('-', '/')}`
}
