import { runCommandLine } from './command-line.js'

// `mockademy start | head` closes the pipe early: no reason to end with a stack trace.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

void runCommandLine(process.argv.slice(2)).then((status) => process.exit(status))
