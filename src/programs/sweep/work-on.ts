import { inParallel } from '../audit/timing/in-parallel.js'
import { type CasePlan, restarts } from './plan.js'

/** Runs side by side: most of their time is waiting. */
export const AT_ONCE = 16

/** Works on cases side by side, then on those that restart the app, which must not meet others. */
export async function workOn<C extends { plan: CasePlan }>(cases: C[], work: (each: C) => Promise<void>) {
  for (const isApart of [false, true]) {
    const some = cases.filter(({ plan }) => restarts(plan) === isApart)
    await inParallel(some, isApart ? 1 : AT_ONCE, work)
  }
}
