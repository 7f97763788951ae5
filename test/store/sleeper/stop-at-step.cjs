// Loaded before an emulator: stops its process (SIGSTOP) before the given call of the file system, in the main thread
// (counted from `globalThis.armed = true` on) or in the thread that folds. STOP_AT is `main:12` or `fold:3`; STEPS names
// a file to which each thread adds how many calls it has made.
const fs = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')
const { isMainThread } = require('node:worker_threads')

const thread = isMainThread ? 'main' : 'fold'
const { appendFileSync } = fs
let steps = 0

function wrap(object, name) {
  const original = object[name]
  object[name] = function step(...args) {
    if ((globalThis.armed || !isMainThread) && ++steps && `${thread}:${steps}` === process.env.STOP_AT) {
      process.kill(process.pid, 'SIGSTOP')
    }
    return original.apply(this, args)
  }
}

const calls = ['copyFileSync', 'fchmodSync', 'ftruncateSync', 'futimesSync', 'mkdtempSync', 'openSync', 'readdirSync']
for (const name of [...calls, 'readSync', 'renameSync', 'rmSync', 'statSync', 'writeFileSync', 'writeSync']) {
  wrap(fs, name)
}
for (const name of ['open', 'readFile', 'rename', 'rm', 'stat', 'writeFile']) wrap(fs.promises, name)
syncBuiltinESMExports()

process.on('exit', () => {
  if (process.env.STEPS) appendFileSync(process.env.STEPS, `${thread} ${steps}\n`)
})
