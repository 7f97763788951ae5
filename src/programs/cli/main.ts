import { setTimeout as wait } from 'node:timers/promises'
import { runCommandLine } from './command-line.js'
import { isAskedToStop } from './parts/stop-signal.js'

// `mockademy start | head` closes the pipe early: no reason to end with a stack trace.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return
  process.stderr.write(`mockademy: standard output cannot be written: ${error.message}\n`)
  process.exit(1)
})

/** Real milliseconds that a reader of the output has after a signal. */
const PATIENCE = 500

/** Resolves when the stream is flushed: what a pipe has not taken yet would be lost with the process. */
const written = (stream: NodeJS.WriteStream) =>
  new Promise<void>((done) => (stream.destroyed ? done() : stream.write('', () => done())))

void runCommandLine(process.argv.slice(2)).then(async (status) => {
  const all = Promise.all([written(process.stdout), written(process.stderr)])
  await (isAskedToStop() ? Promise.race([all, wait(PATIENCE)]) : all)
  process.exit(status)
})
