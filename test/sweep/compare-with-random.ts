import { readAuditFile } from '../../src/programs/audit/app/file.js'
import { inSavedWorld } from '../../src/programs/audit/in-saved-world.js'
import { inParallel } from '../../src/programs/audit/timing/in-parallel.js'
import { type FlowName, flowOf } from '../../src/programs/sweep/flows.js'
import { type Break, breaksOf, type CasePlan } from '../../src/programs/sweep/plan.js'
import type { Point } from '../../src/programs/sweep/points.js'
import { runCase } from '../../src/programs/sweep/run-case.js'
import { troublesAt } from '../../src/programs/sweep/troubles.js'
import { verdictOf } from '../../src/programs/sweep/verdicts.js'
import { type RunningCoursesApp, startCoursesApp } from './courses-app.js'
import { seededFaults } from './seeded-faults.js'

// Compares the cases of a sweep with random faults: on each app with a seeded fault both have the same number of runs of
// the same flow. A random run has a random trouble at a random moment of the flow, and is judged as a case is.

/** Cases side by side, as in a sweep. */
const AT_ONCE = 16
const kinds = [
  { surface: 'api', match: { path: '/v0/courses' } },
  { surface: 'oauth', match: { path: '/oauth/token' } },
  { surface: 'webhook', match: {} },
] as const
const troubles = [...new Set(kinds.flatMap((kind) => troublesAt(kind, false)))]

const seed = Number(process.argv[2] ?? 1)

/** A linear congruential generator: the same choices for the same seed. */
function createChoice(start: number) {
  let state = start >>> 0
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return { below, of: <T>(values: readonly T[]): T => values[below(values.length)] as T }
}
type Choice = ReturnType<typeof createChoice>

/** A random trouble, which meets the next message of its kind after a random moment of the flow, if there is one. */
function randomBreak(choice: Choice, points: Point[]): Break[] {
  const trouble = choice.of(troubles)
  const point = points.slice(choice.below(points.length)).find((each) => troublesAt(each, false).includes(trouble))
  return point ? [{ point, trouble }] : []
}

/** Runs both methods against an app. @returns how many runs each had, and of each how many failed. */
async function compareOn({ emulator, file: given }: RunningCoursesApp, flow: FlowName, choice: Choice) {
  const { file, folder } = await readAuditFile(given, [])
  const { signal } = new AbortController()
  const parts = { kind: 'sweep', url: emulator.url, adminToken: undefined, file, folder, signal } as const
  return inSavedWorld({ ...parts, onNote: undefined }, async (context) => {
    await (await context.platform.tenant()).install()
    const undisturbed: CasePlan = { flow, steps: flowOf(flow).steps, points: [], breaks: [] }
    const { judged, points } = await runCase(context, undisturbed)
    const failing = async (all: Break[][]) => {
      let failed = 0
      await inParallel(all, AT_ONCE, async (breaks) => {
        const plan = { ...undisturbed, points, breaks }
        const { verdict } = verdictOf(plan, await runCase(context, plan), [judged])
        if (verdict === 'stranded' || verdict === 'harmful') failed++
      })
      return failed
    }
    const cases = breaksOf({ flow, points }, { canRestart: false, pairs: false })
    const random = cases.map(() => randomBreak(choice, points))
    return { runs: cases.length, bySweep: await failing(cases), byRandom: await failing(random) }
  })
}

const found = { sweep: 0, random: 0 }
let total = 0
for (const [index, { what, App, flow }] of seededFaults.entries()) {
  const app = await startCoursesApp(App)
  const { runs, bySweep, byRandom } = await compareOn(app, flow as FlowName, createChoice(seed * 1_000 + index))
  await app.close()
  found.sweep += Math.sign(bySweep)
  found.random += Math.sign(byRandom)
  total += runs
  console.log(`${what} (${flow}): of ${runs} runs, ${bySweep} of the sweep failed, and ${byRandom} of the random ones`)
}
const { length } = seededFaults
console.log(
  `Seed ${seed}, ${total} runs each: the sweep found ${found.sweep} of ${length} faults, random ones ${found.random}`,
)
