import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { AuditContext } from '../../src/programs/audit/context/context.js'
import type { CasePlan } from '../../src/programs/sweep/plan.js'
import { AT_ONCE, createRunner } from '../../src/programs/sweep/runner.js'

const plan: CasePlan = { flow: 'install', steps: [], breaks: [], points: [] }

/** A runner whose runs end soon, and the most of them that were under way at once. */
function countingRunner() {
  let running = 0
  const counts = { runs: 0, most: 0 }
  const tenant = async () => {
    counts.most = Math.max(counts.most, ++running)
    await setImmediate()
    running--
    throw new Error('over')
  }
  const runner = createRunner({ platform: { tenant } } as unknown as AuditContext, counts)
  const run = () => runner.run(plan).catch(() => {})
  return { counts, runner, run }
}

test('no more runs go on side by side than there is room for', async () => {
  const { counts, run } = countingRunner()
  await Promise.all(Array.from({ length: 5 * AT_ONCE }, run))
  expect(counts).toEqual({ runs: 5 * AT_ONCE, most: AT_ONCE })
})

test('each that waits for room hears of it when its run can begin', async () => {
  const { counts, runner, run } = countingRunner()
  let under = 0
  let most = 0
  await Promise.all(
    Array.from({ length: 5 * AT_ONCE }, async () => {
      await runner.hasRoom()
      most = Math.max(most, ++under)
      await run()
      under--
    }),
  )
  expect([counts, most]).toEqual([{ runs: 5 * AT_ONCE, most: AT_ONCE }, AT_ONCE])
})
