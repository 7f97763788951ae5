import type { FixtureDocument } from 'mockademy'
import type { Row } from './figures.js'
import type { Guest } from './guest.js'
import type { ServerProcess } from './processes.js'
import type { Contender } from './sampling.js'

/** The sizes at which growth is measured, in elements. */
export const SIZES = [1000, 10_000, 100_000] as const
export type Size = (typeof SIZES)[number]
export const spellSize = (size: number) => size.toLocaleString('en-US')

/** Tools for measuring a row. */
export interface Bench {
  /** Fewer rounds: the figures are rougher, and all of it ends within 90 s. */
  quick: boolean
  peers: Peers | undefined
  /** Number of repetitions: `full`, or `quick` in a quick run. */
  times: (full: number, quick: number) => number
  /** A folder of this run's own, for one purpose. */
  folder: (purpose: string) => Promise<string>
  /** `mockademy start` on a free port, with a store file. `args` are its further flags. */
  start: (store: string, ...args: string[]) => Promise<ServerProcess>
  /** Writes a document to a file. @returns its path */
  documentOf: (document: FixtureDocument) => Promise<string>
  /** The same from a document, with a store of its own. */
  startWith: (document: FixtureDocument) => Promise<ServerProcess>
  /** A store with that many elements, made once a run. @returns the path of a copy */
  storeOf: (size: Size) => Promise<string>
  /** Makes a thing the first time that it is asked for by that name, for rows that share it. */
  once: <T>(name: string, make: () => Promise<T>) => Promise<T>
  /** An emulator with that many elements, started once a run and kept. */
  sized: (size: Size) => Promise<ServerProcess>
  /** An express server with these answers, by method and path. */
  express: (answers: Record<string, ExpressAnswer>) => Promise<ServerProcess>
  /** mockademy inside a process of its own. */
  guest: (options: Record<string, unknown>) => Promise<Guest>
}

export interface ExpressAnswer {
  status?: number
  body?: unknown
  location?: string
}

/** A row and how it is measured. What it starts and does not stop itself ends with the run. */
export interface Measurement {
  id: string
  measure: (bench: Bench) => Promise<Omit<Row, 'id'>>
}

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
  /** Remark about it, available after measuring. */
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

/** The peers, installed. */
export interface Peers {
  /** Contenders of the peers for a row; notes on those without any. */
  answersFor: (
    row: string,
    bench: Bench,
  ) => Promise<{ contenders: Contender[]; notes: () => string[]; close: () => Promise<void> }>
  servedFor: (
    row: string,
    bench: Bench,
  ) => Promise<{ served: Served[]; notes: () => string[]; close: () => Promise<void> }>
}
