import { Session } from 'node:inspector/promises'

// Prints how much more often each part of the emulator's code (a function, a branch, a turn of a loop) runs when a
// sandbox ends beside `MANY` others than beside `FEW`. A process of its own: counting slows all of it down.

const [FEW, MANY] = process.argv.slice(2).map(Number)

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
// Functions that were compiled before are not counted by their parts.
const { startEmulator } = await import('mockademy')
const { admin, close } = await startEmulator({ seed: 'ends' })
// Nothing listens there. An inbox would be searched, which keeps 200 entries at most.
const webhook = { url: 'http://127.0.0.1:9/' }
const permissions = ['courses:read']
const manifest = { id: 'ends', name: 'Ends', version: '1.0.0', permissions, oauth: { install: true }, webhook }
await admin.createApp({ manifest })
const makeSandbox = () => admin.sandbox({ app: 'ends' })

async function runsIn(work) {
  await session.post('Profiler.takePreciseCoverage')
  await work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const scripts = result.filter(({ url }) => url.includes('/dist/'))
  const parts = scripts.flatMap(({ url, functions }) =>
    functions.flatMap(({ functionName, ranges }) =>
      ranges.map(({ startOffset, endOffset, count }) => [`${functionName} ${url}:${startOffset}-${endOffset}`, count]),
    ),
  )
  return new Map(parts)
}

/** The fewest runs of each part in three ends: a timer of the emulator may run meanwhile. */
async function runsOfEnd() {
  const fewest = new Map()
  for (let time = 0; time < 3; time++) {
    const sandbox = await makeSandbox()
    await sandbox.fault({ effect: 'unavailable' })
    await sandbox.clock.advance('1h')
    const runs = await runsIn(() => sandbox.end())
    for (const [part, count] of runs) fewest.set(part, Math.min(count, fewest.get(part) ?? count))
  }
  return fewest
}

for (let other = 0; other < FEW; other++) await makeSandbox()
const besideFew = await runsOfEnd()
for (let other = FEW; other < MANY; other++) await makeSandbox()
const besideMany = await runsOfEnd()
await close()
const growth = [...besideMany].map(([part, count]) => ({ part, grown: count - (besideFew.get(part) ?? 0) }))
process.stdout.write(JSON.stringify(growth))
