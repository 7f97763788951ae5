import { execFile, spawnSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Client, createClient } from '../client.js'
import { ROOT, startServer } from '../processes.js'
import { temporaryFolder } from '../temporary.js'
import { bearer, ELEMENT, json, newElement, worldOf } from '../worlds.js'
import { createComplaints, type Trial } from './trial.js'

const run = promisify(execFile)

/** The disk, and what is kept on it to be taken away later. */
const DISK = 4 * 2 ** 20
const BALLAST = 2 * 2 ** 20
/** More writes than the disk has room for. */
const ENOUGH = 5000

const name = 'full disk'

/** Fills a small disk: writes are refused with 507, reads go on, and with room again so do writes; nothing is lost. */
export async function fullDisk(): Promise<Trial> {
  if (process.platform !== 'linux') return skipped('only Linux can mount a small disk in memory')
  const disk = await temporaryFolder('disk')
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', disk])
  } catch (error) {
    return skipped(`a disk in memory cannot be mounted: ${String((error as { stderr?: string }).stderr).trim()}`)
  }
  const unmount = () => spawnSync('umount', ['-l', disk])
  // Before the folder itself is removed, should a signal end the run.
  process.prependOnceListener('exit', unmount)
  try {
    return await fill(disk, await temporaryFolder('full'))
  } finally {
    process.removeListener('exit', unmount)
    unmount()
  }
}

const skipped = (why: string): Trial => ({ name, figures: {}, broken: [], skipped: why })

async function fill(disk: string, home: string): Promise<Trial> {
  const complaints = createComplaints()
  const ballast = join(disk, 'ballast')
  const fixtures = join(home, 'fixtures.json')
  await writeFile(ballast, Buffer.alloc(BALLAST))
  await writeFile(fixtures, JSON.stringify(worldOf(100)))
  const args = ['start', '--port', '0', '--store', join(disk, 'store.json'), '--fixtures', fixtures, '--resume']
  const start = () => startServer({ args: [join(ROOT, 'bin', 'mockademy.js'), ...args], cwd: home })

  let server = await start()
  try {
    let client = createClient(server.url)
    const answered: string[] = []
    for (let turn = 0; turn < ENOUGH; turn++) {
      const { status, id } = await create(client, turn)
      if (status === 507) break
      answered.push(id)
    }
    const before = answered.length
    if (before === ENOUGH) complaints.add('no write was refused', `${ENOUGH} writes on ${DISK} bytes`)
    const { status } = await client.send(`/v0/elements/${ELEMENT}`, { headers: bearer, expect: [200, 500, 507] })
    if (status !== 200) complaints.add('a read was refused', `${status}`)
    const refusals = [await create(client, -1), await create(client, -2)].filter(({ status }) => status === 507)

    await rm(ballast)
    const after = await create(client, ENOUGH)
    if (after.status === 507) complaints.add('with room again a write was refused', '507')
    else answered.push(after.id)

    client.close()
    await server.stop('SIGKILL')
    server = await start()
    client = createClient(server.url)
    for (const id of answered) {
      const { status } = await client.send(`/v0/elements/${id}`, { headers: bearer, expect: [200, 404] })
      if (status !== 200) complaints.add('an answered write was lost', `element ${id}`)
    }
    client.close()
    return {
      name,
      figures: {
        'writes until it was full': before,
        'refusals seen': 1 + refusals.length,
        'found again': answered.length,
      },
      broken: complaints.list(),
    }
  } finally {
    await server.stop('SIGKILL')
  }
}

async function create(client: Client, turn: number): Promise<{ status: number; id: string }> {
  const body = newElement(`Written in turn ${turn} ${'x'.repeat(200)}`)
  const call = { method: 'POST', headers: json, body, expect: [200, 201, 507] }
  const { status, text } = await client.send('/v0/elements', call)
  return { status, id: status === 507 ? '' : JSON.parse(text).payload.id }
}
