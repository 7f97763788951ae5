import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Peer, Peers } from './measurement.js'
import { emulate } from './peers/emulate.js'
import { jsonServer } from './peers/json-server.js'
import { oauth2MockServer } from './peers/oauth2-mock-server.js'
import { temporaryFolder } from './temporary.js'

const peers: Peer[] = [jsonServer, emulate, oauth2MockServer]

/** Installs the peers from the registry into a temporary folder. @throws Error when that fails. */
export async function installPeers(say: (text: string) => void): Promise<Peers> {
  const home = await temporaryFolder('peers')
  say(`Installing ${peers.map(({ name, version }) => `${name}@${version}`).join(', ')}\n\n`)
  await writeFile(join(home, 'package.json'), '{"private":true,"type":"module"}')
  const install = ['install', '--no-audit', '--no-fund', ...peers.map(({ name, version }) => `${name}@${version}`)]
  await promisify(execFile)('npm', install, { cwd: home, timeout: 180_000 })
  const notes = (has: (peer: Peer) => boolean) =>
    peers.filter((peer) => !has(peer)).map(({ name }) => `${name} has nothing like this`)
  return {
    async answersFor(row, bench) {
      const made = await Promise.all(peers.map(async ({ answers }) => (await answers[row]?.(home, bench)) ?? []))
      const contenders = made.flat()
      return {
        contenders,
        notes: () => [
          ...contenders.flatMap(({ note }) => (note ? [note()] : [])),
          ...notes(({ answers }) => row in answers),
        ],
        close: async () => void (await Promise.all(contenders.map((contender) => contender.stop?.()))),
      }
    },
    async servedFor(row, bench) {
      const made = await Promise.all(peers.map(({ serves }) => serves[row]?.(home, bench)))
      const served = made.filter((one) => one !== undefined)
      return {
        served,
        notes: () => notes(({ serves }) => row in serves),
        close: async () => void (await Promise.all(served.map((one) => one.stop()))),
      }
    },
  }
}
