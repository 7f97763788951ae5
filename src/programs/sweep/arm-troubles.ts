import { AuditFailure, Inconclusive } from '../audit/app/failures.js'
import type { AuditContext } from '../audit/context/context.js'
import { restartApp } from '../audit/context/restart.js'
import type { Tenant } from '../audit/context/tenant.js'
import { isAppListening } from '../audit/in-saved-world.js'
import { type Break, type CasePlan, faultOf } from './plan.js'
import type { Point } from './points.js'
import { SLOW, troubleOf } from './troubles.js'

/** Real milliseconds between two looks at a fault, and those that a restarted app may take to listen. */
const WATCHING = 20
const START = 45_000

/** Adds the faults of a case to its organization. */
export async function armTroubles(context: AuditContext, tenant: Tenant, plan: CasePlan) {
  const { admin } = context.platform
  const organization = tenant.slug
  const armed: (Break & { fault: Awaited<ReturnType<typeof tenant.fault>> | undefined })[] = []
  // One after another: of two faults that match, the older one meets the request.
  for (const each of plan.breaks) {
    const fault = faultOf(plan, each)
    armed.push({ ...each, fault: fault && (await tenant.fault(fault)) })
  }
  const crashes = armed.filter(({ trouble }) => troubleOf(trouble).restarts)

  /** Sends an event again. @returns false when it was not sent before. */
  async function sendAgain({ operation, occurrence }: Point): Promise<boolean> {
    const deliveries = await admin.listDeliveries({ organization })
    const again = deliveries.filter(({ event }) => event.type === operation)[occurrence - 1]
    if (again) await admin.redeliver(again.id)
    return again !== undefined
  }

  return {
    /**
     * Restarts the app whenever a fault has met it. @param step what has not met it when the step is over, does not.
     * @returns true when it has restarted it.
     */
    async restartDuring(step: Promise<unknown>): Promise<boolean> {
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
    },

    /** Brings the troubles that only send an event again. @returns true when every trouble has met the app. */
    async meetRest(): Promise<boolean> {
      for (const { point, fault } of armed) {
        const hasMet = fault ? (await fault.hits()) > 0 : await sendAgain(point)
        if (!hasMet) return false
      }
      return true
    },

    /** Waits until the requests that faults delay are over, also where the app no longer waits for them. */
    async settle(): Promise<void> {
      const delaying = armed.flatMap(({ trouble, fault }) => (trouble === 'slow' && fault ? [fault.id] : []))
      const areOver = async () => {
        const met = new Set((await admin.listRequests({ organization })).map(({ fault }) => fault))
        return delaying.every((id) => met.has(id))
      }
      if (delaying.length > 0) await context.until(areOver, Boolean, 2 * SLOW)
    },

    async lift(): Promise<void> {
      for (const { fault } of armed) await fault?.lift()
    },
  }
}

/** @throws AuditFailure, whose cause is `Inconclusive`, when the command fails, so that no case can be judged. */
async function restart(context: AuditContext): Promise<void> {
  await restartApp(context).catch((error: Error) => {
    throw error instanceof Inconclusive ? new AuditFailure(error.message, { cause: error }) : error
  })
  await context.until(() => isAppListening(context), Boolean, START)
}
