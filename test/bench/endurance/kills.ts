import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, createClient } from '../client.js'
import { ROOT, type ServerProcess, startServer } from '../processes.js'
import { type Arrival, startReceiver } from '../receiver.js'
import { temporaryFolder } from '../temporary.js'
import { bearer, installation, json, MODULE, newElement, worldWithApp } from '../worlds.js'
import { createChance } from './chance.js'
import { type Complaints, createComplaints, type Trial } from './trial.js'

const WRITERS = 8
/** Timeout for retries to end after the last kill, in milliseconds. */
const PATIENCE = 30_000

/** Acknowledged changes, which must survive every kill. */
interface Answered {
  /** Elements that were made and that nobody asked to delete. */
  elements: Set<string>
  deleted: Set<string>
  /** The event's id, by the marker it was sent with. */
  events: Map<string, string>
}

/**
 * Kills the process again and again while eight writers write and webhooks are waiting to be sent again. What was
 * answered is there after each kill, the positions have no hole, and every delivery arrives under the id it had.
 */
export async function kills(rounds: number, say: (text: string) => void): Promise<Trial> {
  const home = await temporaryFolder('kills')
  const receiver = await startReceiver()
  const attempts = new Map<string, number>()
  receiver.answerWith(({ id }) => {
    const attempt = (attempts.get(id) ?? 0) + 1
    attempts.set(id, attempt)
    return attempt === 1 ? 500 : 200
  })
  const fixtures = join(home, 'fixtures.json')
  await writeFile(fixtures, JSON.stringify(worldWithApp(receiver.url)))
  const args = ['start', '--port', '0', '--store', join(home, 'store.json'), '--fixtures', fixtures, '--resume']
  const settings = ['--retry-schedule', '300ms,300ms,300ms,300ms', '--page-size', '1000']
  const start = () => startServer({ args: [join(ROOT, 'bin', 'mockademy.js'), ...args, ...settings], cwd: home })

  const complaints = createComplaints()
  const answered: Answered = { elements: new Set(), deleted: new Set(), events: new Map() }
  const chance = createChance(1)
  const began = Date.now()
  let server: ServerProcess | undefined
  try {
    for (let round = 0; round < rounds; round++) {
      server = await start()
      await check(server.url, answered, complaints)
      const writers = Array.from({ length: WRITERS }, (_, writer) =>
        write((server as ServerProcess).url, `${round}-${writer}`, answered, createChance(round * WRITERS + writer)),
      )
      await pause(50 + chance() * 250)
      await server.stop('SIGKILL')
      for (const wrong of (await Promise.all(writers)).flat()) complaints.add('an unexpected answer', wrong)
      if ((round + 1) % 10 === 0) say(`  ${round + 1} kills, ${answered.elements.size} elements\n`)
    }
    server = await start()
    await check(server.url, answered, complaints)
    await retriesEnd(server.url, complaints)
    await server.stop()
    checkDeliveries(receiver.arrivals, answered, complaints)
    return {
      name: 'kills',
      figures: {
        kills: rounds,
        seconds: Math.round((Date.now() - began) / 1000),
        'elements answered, of them deleted': `${answered.elements.size + answered.deleted.size}, ${answered.deleted.size}`,
        'events answered': answered.events.size,
        'webhooks received': receiver.arrivals.length,
      },
      broken: complaints.list(),
    }
  } finally {
    await server?.stop('SIGKILL')
    await receiver.close()
  }
}

/** Writes until the process is gone. @returns answers that were not as they should be */
async function write(url: string, name: string, answered: Answered, chance: () => number): Promise<string[]> {
  const client = createClient(url)
  const own: string[] = []
  try {
    for (let turn = 0; ; turn++) {
      const draw = chance()
      if (draw < 0.4 && own.length > 0) {
        const id = own.shift() as string
        // From now on it may be there or not; once answered it must not.
        answered.elements.delete(id)
        await client.send(`/v0/elements/${id}`, { method: 'DELETE', headers: bearer })
        answered.deleted.add(id)
      } else if (draw < 0.8) {
        const body = newElement(`Written by ${name} in turn ${turn}`)
        const { text } = await client.send('/v0/elements', { method: 'POST', headers: json, body })
        const { id } = JSON.parse(text).payload
        own.push(id)
        answered.elements.add(id)
      } else {
        const marker = `${name}-${turn}`
        const body = JSON.stringify({ type: 'bench.event', installation: installation.id, data: { marker } })
        const { text } = await client.send('/_admin/events', { method: 'POST', headers: json, body })
        answered.events.set(marker, JSON.parse(text).event.id)
      }
    }
  } catch (error) {
    // A request that the kill cut off is neither answered nor wrong.
    return 'code' in (error as Error) ? [] : [String(error)]
  } finally {
    client.close()
  }
}

/** Reads every element back: those answered are there, those deleted are not, and positions go 0, 1, 2, … */
async function check(url: string, { elements, deleted }: Answered, complaints: Complaints): Promise<void> {
  const client = createClient(url)
  const found = new Set<string>()
  const positions: number[] = []
  for (let page: string | null = ''; page !== null; ) {
    const { text } = await client.send(`/v0/elements${page === '' ? '' : `?page=${page}`}`, { headers: bearer })
    const { data, next } = JSON.parse(text).payload
    for (const { id, module, position } of data) {
      found.add(id)
      if (module === MODULE) positions.push(position)
    }
    page = next
  }
  client.close()
  for (const id of elements) if (!found.has(id)) complaints.add('an answered write was lost', `element ${id}`)
  for (const id of deleted) if (found.has(id)) complaints.add('an answered deletion was undone', `element ${id}`)
  const sorted = positions.sort((a, b) => a - b)
  const wrong = sorted.findIndex((position, index) => position !== index)
  if (wrong >= 0) complaints.add('positions are not whole', `${sorted[wrong]} where ${wrong} should be`)
}

async function retriesEnd(url: string, complaints: Complaints): Promise<void> {
  const client = createClient(url)
  const began = Date.now()
  while ((await waiting(client)) > 0) {
    if (Date.now() - began > PATIENCE) return complaints.add('retries do not come to an end', `after ${PATIENCE} ms`)
    await pause(100)
  }
  client.close()
}

async function waiting(client: Client): Promise<number> {
  const counts = await Promise.all(
    ['pending', 'retrying'].map((state) => client.send(`/_admin/deliveries?state=${state}`, { headers: json })),
  )
  return counts.reduce((sum, { text }) => sum + JSON.parse(text).data.length, 0)
}

function checkDeliveries(arrivals: readonly Arrival[], { events }: Answered, complaints: Complaints): void {
  const ids = new Map<string, Set<string>>()
  for (const { id, marker } of arrivals) {
    if (marker !== undefined) ids.set(marker, (ids.get(marker) ?? new Set()).add(id))
  }
  for (const [marker, id] of events) {
    const arrived = ids.get(marker)
    if (!arrived) complaints.add('a delivery was lost', `event ${id}`)
    else if (!arrived.has(id)) complaints.add('a delivery came under another id', `${[...arrived]} instead of ${id}`)
  }
  for (const [marker, arrived] of ids) {
    if (arrived.size > 1) complaints.add('one event came under several ids', `${marker}: ${[...arrived].join(', ')}`)
  }
}
