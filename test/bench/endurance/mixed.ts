import { existsSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '../client.js'
import { startGuest } from '../guest.js'
import { ROOT } from '../processes.js'
import { startReceiver } from '../receiver.js'
import { median, slope } from '../sampling.js'
import { temporaryFolder } from '../temporary.js'
import { json, worldWithApp } from '../worlds.js'
import { type Caller, chooseAction } from './actions.js'
import { createChance } from './chance.js'
import { createComplaints, type Trial } from './trial.js'

const CALLERS = 8
const SAMPLES = 40
/** Samples cost a collection each, and a short run is not sampled at every turn. */
const LEAST_STEP = 500
/** The share of the run in which caches fill and the compiler is at work. */
const WARM_UP = 0.2
/** Limit of heap growth after the warm-up, in KB; more is a leak. */
const FLAT = 4096
/** A request without an answer for so long has none, in milliseconds. */
const UNANSWERED = 30_000
const MB = 2 ** 20

interface Sample {
  requests: number
  heap: number
  rss: number
  journal: number
  snapshot: number
  entries: number
}

/**
 * Mixed requests by eight callers, with faults, webhooks, snapshots, restores and resets, for hours if need be: memory
 * stays flat, journals stay bounded, every request is answered and the store is folded in time.
 * @param limit how long it may take, in milliseconds; it ends early then, and says so
 */
export async function mixed(requests: number, limit: number, say: (text: string) => void): Promise<Trial> {
  const home = await temporaryFolder('endurance')
  const store = join(home, 'store.json')
  const fixtures = join(home, 'fixtures.json')
  const receiver = await startReceiver({ keep: false })
  let webhooks = 0
  receiver.answerWith(() => (++webhooks % 10 === 0 ? 500 : 200))
  await writeFile(fixtures, JSON.stringify(worldWithApp(receiver.url)))
  const entry = pathToFileURL(join(ROOT, 'dist', 'index.js')).href
  const guest = await startGuest({ program: 'mockademy', entry, options: { store, fixtures } })
  const complaints = createComplaints()
  const began = Date.now()
  try {
    const url = await guest.call('open')
    const control = createClient(url)
    await control.send('/_admin/clock/freeze', { method: 'POST', headers: json, body: '{}' })
    const callers = Array.from({ length: CALLERS }, (_, number): Caller => {
      const chance = createChance(number)
      return { client: createClient(url), chance, elements: [], refresh_token: undefined, cookie: undefined, turn: 0 }
    })
    const counts: Record<string, number> = {}
    let done = 0
    const work = async (caller: Caller, until: number) => {
      while (done < until && Date.now() - began < limit) {
        caller.turn++
        const [name, action] = chooseAction(caller.chance)
        const call = action.call(caller)
        if (!call) continue
        done++
        counts[name] = (counts[name] ?? 0) + 1
        try {
          const answer = await answered(caller.client.send(call.path, call))
          action.after?.(caller, answer)
        } catch (error) {
          const cut = (error as NodeJS.ErrnoException).code === 'ECONNRESET'
          if (!(action.mayBeCut && cut)) complaints.add(`${name}: unexpected or no answer`, String(error))
        }
      }
    }

    const samples: Sample[] = []
    const step = Math.max(LEAST_STEP, Math.ceil(requests / SAMPLES))
    for (let until = step; done < requests && Date.now() - began < limit; until += step) {
      await Promise.all(callers.map((caller) => work(caller, Math.min(until, requests))))
      const { text } = await control.send('/_admin/requests/count', { headers: json })
      await control.send('/_admin/reset', { method: 'POST', headers: json })
      await control.send('/_admin/clock/freeze', { method: 'POST', headers: json, body: '{}' })
      const { heap, rss } = await guest.call('memory')
      const sample = { requests: done, heap, rss, ...sizesOf(store), entries: JSON.parse(text).count }
      samples.push(sample)
      if (sample.entries > 1000) complaints.add('the journal holds more than 1,000 entries', `${sample.entries}`)
      say(`  ${done.toLocaleString('en-US')} requests, ${line(sample)}\n`)
    }
    for (const { client } of callers) client.close()
    control.close()
    await guest.call('close')
    return { name: 'mixed requests', ...judge(samples, complaints), figures: figuresOf() }

    function figuresOf() {
      const seconds = (Date.now() - began) / 1000
      return {
        requests: `${done.toLocaleString('en-US')} of ${requests.toLocaleString('en-US')}`,
        seconds: Math.round(seconds),
        'requests a second': Math.round(done / seconds),
        'webhooks received': webhooks,
        ...growthOf(samples),
        'resets, restores, snapshots': `${counts.reset ?? 0}, ${counts.restore ?? 0}, ${counts.snapshot ?? 0}`,
        'largest journal file': `${(Math.max(...samples.map(({ journal }) => journal)) / MB).toFixed(2)} MB`,
      }
    }
  } finally {
    await guest.stop()
    await receiver.close()
  }
}

/** @throws Error when there is no answer for too long. */
async function answered<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer for ${UNANSWERED} ms.`)), UNANSWERED)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

const sizesOf = (store: string) => ({
  snapshot: statSync(store).size,
  journal: existsSync(`${store}.journal`) ? statSync(`${store}.journal`).size : 0,
})

const line = ({ heap, rss, journal, snapshot }: Sample) =>
  `heap ${(heap / 1024).toFixed(1)} MB, all ${(rss / 1024).toFixed(0)} MB, ` +
  `store ${(snapshot / MB).toFixed(2)} MB and ${(journal / MB).toFixed(2)} MB of journal`

const afterWarmUp = (samples: readonly Sample[]) => {
  const last = samples.at(-1)?.requests ?? 0
  return samples.filter(({ requests }) => requests >= WARM_UP * last)
}

/** Linear fit of the heap: `each` in KB per request, `whole` in KB from the warm-up to the end. */
function heapGrowth(samples: readonly Sample[]) {
  const kept = afterWarmUp(samples)
  const each = slope(kept.map(({ requests, heap }) => ({ x: requests, y: heap })))
  return { each, whole: each * ((kept.at(-1)?.requests ?? 0) - (kept[0]?.requests ?? 0)) }
}

function growthOf(samples: readonly Sample[]) {
  const { each, whole } = heapGrowth(samples)
  const kept = afterWarmUp(samples)
  return {
    'heap after a collection': `${(median(kept.map(({ heap }) => heap)) / 1024).toFixed(1)} MB`,
    'heap growth': `${(each * 1000).toFixed(3)} KB a thousand requests, ${whole.toFixed(0)} KB from warm-up to end`,
    'all memory': `${((kept[0]?.rss ?? 0) / 1024).toFixed(0)} MB after warm-up, ${((kept.at(-1)?.rss ?? 0) / 1024).toFixed(0)} MB at the end`,
  }
}

function judge(samples: readonly Sample[], complaints: ReturnType<typeof createComplaints>) {
  const { whole } = heapGrowth(samples)
  if (whole > FLAT) complaints.add('memory is not flat', `the heap grew by ${whole.toFixed(0)} KB after the warm-up`)
  // A fold begins when the journal has outgrown the snapshot, and takes a moment in which it grows on.
  for (const { journal, snapshot, requests } of samples) {
    const most = 3 * Math.max(snapshot, MB)
    if (journal > most) complaints.add('the store was not folded in time', `${journal} bytes at ${requests} requests`)
  }
  return { broken: complaints.list() }
}
