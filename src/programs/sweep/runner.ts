import type { AuditContext } from '../audit/context/context.js'
import { inParallel } from '../audit/timing/in-parallel.js'
import { type CasePlan, restarts } from './plan.js'
import { type CaseRun, runCase } from './run-case.js'

/** Runs side by side: most of their time is waiting. */
export const AT_ONCE = 16
const MIN_AT_ONCE = 2
/** Real milliseconds of a control call within which as many runs as may be go on. */
const PROMPT = 100

export type Runner = ReturnType<typeof createRunner>

/**
 * Lets some runs go on side by side, and fewer while control calls take long: on a busy machine, an app would run into its
 * own time limits, which is no trouble of its case.
 * @param counted `runs` is raised with each run.
 */
export function createRunner(context: AuditContext, counted: { runs: number }) {
  let room = AT_ONCE
  let running = 0
  let waiting: (() => void)[] = []
  const ended = () => new Promise<void>((resolve) => waiting.push(resolve))
  let turn = Promise.resolve()
  return {
    /** Resolves when another run may begin: for one caller after another, each of which begins at once or not at all. */
    hasRoom() {
      turn = turn.then(async () => {
        while (running >= room) await ended()
      })
      return turn
    },
    async run(plan: CasePlan): Promise<CaseRun> {
      counted.runs++
      // Checked and counted without a pause, in which others would pass the check.
      while (running >= room) await ended()
      running++
      try {
        const result = await runCase(context, plan)
        const began = performance.now()
        await context.platform.admin.clock()
        const slowed = Math.floor((AT_ONCE * PROMPT) / (performance.now() - began))
        room = Math.max(MIN_AT_ONCE, Math.min(AT_ONCE, slowed))
        return result
      } finally {
        running--
        const woken = waiting
        waiting = []
        for (const wake of woken) wake()
      }
    },
  }
}

/** Works on cases side by side, then on those that restart the app, which must not meet others. */
export async function workOn(cases: CasePlan[], work: (each: CasePlan) => Promise<void>) {
  for (const isApart of [false, true]) {
    const some = cases.filter((each) => restarts(each) === isApart)
    await inParallel(some, isApart ? 1 : AT_ONCE, work)
  }
}
