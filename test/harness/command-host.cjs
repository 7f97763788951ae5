// Runs commands one after the other in one process, which loads the package once: starting Node.js and loading take longer
// than most commands do. Each message is a command; what it prints on either stream ends with END.
const { join } = require('node:path')

const END = '\u0004'
const command = join(__dirname, '../../bin/mockademy.js')
/** The modules that run a command when they are loaded. */
const programs = [command, join(__dirname, '../../dist/main.cjs')]

const end = process.exit
process.on('disconnect', () => end())
process.exit = (status) => {
  process.stdout.write(END)
  process.stderr.write(END)
  process.send(status)
}

for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0)
process.on('message', ({ args, env, cwd }) => {
  for (const path of programs) delete require.cache[path]
  process.argv = [process.execPath, command, ...args]
  process.env = env
  process.chdir(cwd)
  require(command)
})
