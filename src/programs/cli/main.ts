import { setTimeout as wait } from 'node:timers/promises'
import { runCommandLine } from './command-line.js'
import { isAskedToStop } from './stop-signal.js'

// `mockademy start | head` closes the pipe early: no reason to end with a stack trace.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

/** Real milliseconds for what is still to be read, when somebody has asked for the end and may not read on. */
const PATIENCE = 500

/** A pipe takes a little at a time, and what it has not taken yet would be lost with the process. */
const written = (stream: NodeJS.WriteStream) =>
  new Promise<void>((done) => (stream.destroyed ? done() : stream.write('', () => done())))

void runCommandLine(process.argv.slice(2)).then(async (status) => {
  const all = Promise.all([written(process.stdout), written(process.stderr)])
  await (isAskedToStop() ? Promise.race([all, wait(PATIENCE)]) : all)
  process.exit(status)
})
