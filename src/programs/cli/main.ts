import { setTimeout as wait } from 'node:timers/promises'
import { say } from './command/command.js'
import { runCommandLine } from './command-line.js'
import { isAskedToStop } from './processes/stop-signal.js'

// A closed pipe, as in `mockademy start | head`, or a closed terminal is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || (error.code === 'EIO' && process.stdout.isTTY)) return
  say(`standard output cannot be written: ${error.message}`)
  process.exit(1)
})
process.stderr.on('error', () => {})

/** Maximum wait for buffered output after a stop signal, in real milliseconds. */
const FLUSH_TIMEOUT = 500

/** Resolves once the stream is flushed: `process.exit` discards what is still buffered. */
const written = (stream: NodeJS.WriteStream) =>
  new Promise<void>((done) => (stream.destroyed ? done() : stream.write('', () => done())))

void runCommandLine(process.argv.slice(2)).then(async (status) => {
  const all = Promise.all([written(process.stdout), written(process.stderr)])
  await (isAskedToStop() ? Promise.race([all, wait(FLUSH_TIMEOUT)]) : all)
  process.exit(status)
})
