import { Session } from 'node:inspector/promises'
import type { Emulator } from 'mockademy'
import { expect, test } from 'vitest'
import { notesManifest } from '../harness/webhook-test.js'
import { acme } from '../harness/worlds/acme.js'

const FEW = 10
const MANY = 150

/** Nothing listens there. An inbox would be searched, which keeps 200 entries at most. */
const NOWHERE = 'http://127.0.0.1:9/'

/** How often each part of the emulator's code has run: functions, branches, turns of a loop. */
type Runs = Map<string, number>

async function runsIn(session: Session, work: () => Promise<unknown>): Promise<Runs> {
  await session.post('Profiler.takePreciseCoverage')
  await work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const scripts = result.filter(({ url }) => url.includes('/dist/'))
  return new Map(
    scripts.flatMap(({ url, functions }) =>
      functions.flatMap(({ functionName, ranges }) =>
        ranges.map(({ startOffset, endOffset, count }): [string, number] => [
          `${functionName} ${url}:${startOffset}-${endOffset}`,
          count,
        ]),
      ),
    ),
  )
}

/** The runs of three ends, the fewest of each part: a timer of the emulator may run meanwhile. */
async function runsOfEnd(session: Session, { admin }: Emulator): Promise<Runs> {
  const fewest: Runs = new Map()
  for (let time = 0; time < 3; time++) {
    const sandbox = await admin.sandbox()
    await sandbox.fault({ effect: 'unavailable' })
    await sandbox.clock.advance('1h')
    const runs = await runsIn(session, () => sandbox.end())
    for (const [part, count] of runs) fewest.set(part, Math.min(count, fewest.get(part) ?? count))
  }
  return fewest
}

test('the end of a sandbox does nothing once for each of the others', { timeout: 60_000 }, async () => {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  // Functions that were compiled before are not counted by their parts.
  const { startEmulator } = await import('mockademy')
  await using emulator = await startEmulator({ fixtures: { ...acme, apps: [], installations: [] }, seed: 's' })
  const { admin } = emulator
  await admin.createApp({ manifest: { ...notesManifest({ url: '' }), webhook: { url: NOWHERE } } })

  for (let other = 0; other < FEW; other++) await admin.sandbox()
  const besideFew = await runsOfEnd(session, emulator)
  for (let other = FEW; other < MANY; other++) await admin.sandbox()
  const besideMany = await runsOfEnd(session, emulator)
  session.disconnect()

  const growth = [...besideMany].map(([part, count]) => ({ part, grown: count - (besideFew.get(part) ?? 0) }))
  expect(growth.length).toBeGreaterThan(200)
  expect(growth.filter(({ grown }) => grown >= MANY - FEW)).toEqual([])
})
