import { Worker } from 'node:worker_threads'
import { inShort, StepFailure } from './step-failure.js'

/** Real milliseconds: an expression that backtracks can take years, and nothing else would run in its thread. */
const LONGEST = 1000

const source = `
const { parentPort, workerData: { pattern, text } } = require('node:worker_threads')
parentPort.postMessage(new RegExp(pattern, 'u').test(text))
`

/**
 * Whether a regular expression of a user's matches a text. It runs in a thread of its own, which is ended after a second.
 * @param path of the text, for the message.
 * @throws StepFailure when that was not enough, or the expression is too large.
 */
export function matchesUserPattern(pattern: string, text: string, path: string): Promise<boolean> {
  const worker = new Worker(source, { eval: true, workerData: { pattern, text } })
  // What a machine under load takes for the thread itself does not count.
  worker.once('online', () => {
    AbortSignal.timeout(LONGEST).addEventListener('abort', () => void worker.terminate())
  })
  const fail = (why: string) => new StepFailure(`${path}: {"$match": ${inShort(pattern)}} ${why}`)
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', ({ message }) => reject(fail(`cannot be run: ${message}`)))
    worker.once('exit', () =>
      reject(
        fail(`was ended after ${LONGEST / 1000} s, on a text of ${text.length} characters: simplify what it repeats`),
      ),
    )
  })
}
