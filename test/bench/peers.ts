import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Bench } from './context.js'
import { emulate } from './peers/emulate.js'
import { jsonServer } from './peers/json-server.js'
import { oauth2MockServer } from './peers/oauth2-mock-server.js'
import type { Contender } from './sampling.js'
import { temporaryFolder } from './temporary.js'

/** A server that a row loads. */
export interface Served {
  name: string
  url: string
  /** The headers of its next run. */
  headers?: () => Record<string, string>
  /** The most requests that one run may send: some refuse more. */
  most?: number
  stop: () => Promise<void>
}

/** One way that a peer is measured. What it starts, `stop` ends. */
export interface PeerContender extends Contender {
  stop?: () => Promise<void>
  /** What else there is to say of it, once it was measured. */
  note?: () => string
}

/** Another program, and which rows it has an answer for. */
export interface Peer {
  name: string
  /** The version that is installed: figures of another one would say something else. */
  version: string
  /** @param home the folder that it is installed in */
  answers: Record<string, (home: string, bench: Bench) => Promise<PeerContender[]>>
  /** For rows that load a server: one that serves about 1 KB of JSON. */
  serves: Record<string, (home: string, bench: Bench) => Promise<Served>>
}

const peers: Peer[] = [jsonServer, emulate, oauth2MockServer]

export interface Peers {
  /** What the peers have for a row, and which of them have nothing. */
  answersFor: (
    row: string,
    bench: Bench,
  ) => Promise<{ contenders: Contender[]; notes: () => string[]; close: () => Promise<void> }>
  servedFor: (
    row: string,
    bench: Bench,
  ) => Promise<{ served: Served[]; notes: () => string[]; close: () => Promise<void> }>
}

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

/** The script that an installed package starts with, by its `bin`. */
export async function scriptOf(home: string, name: string): Promise<string> {
  const folder = join(home, 'node_modules', name)
  const { bin } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : bin[name])
}
