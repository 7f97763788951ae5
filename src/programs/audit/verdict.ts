import type { WireExchange } from '../../control/client/wire.js'

/** What was found out, before the audit's file has a say in it. */
export interface Verdict {
  outcome: 'pass' | 'fail' | 'skip' | 'inconclusive'
  /** What it comes to, in a sentence. */
  message: string
  /** The request that shows it. */
  sent?: WireExchange | undefined
  /** What the app did, when `sent` does not say it all. */
  seen?: string | undefined
  /** Journal entries that belong to it. */
  entries?: number[] | undefined
  /** It is about time: on a busy machine it may be the machine's fault. */
  late?: boolean
}

type Evidence = Pick<Verdict, 'sent' | 'seen' | 'entries' | 'late'>

export const pass = (message: string, evidence: Evidence = {}): Verdict => ({ outcome: 'pass', message, ...evidence })
export const fail = (message: string, evidence: Evidence = {}): Verdict => ({ outcome: 'fail', message, ...evidence })
/** `1 request`, `2 requests`. */
export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : nouns}`
export const skip = (message: string): Verdict => ({ outcome: 'skip', message })

/**
 * Thrown where the positive twin of a check did not come off, so that what the app refuses says nothing about it.
 * audit: "Rules of a fair audit" 1
 */
export class Inconclusive extends Error {
  constructor(
    message: string,
    readonly evidence: Evidence = {},
  ) {
    super(message)
    this.name = 'Inconclusive'
  }
}
