import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { fullDisk } from './endurance/full-disk.js'
import { kills } from './endurance/kills.js'
import { mixed } from './endurance/mixed.js'
import { type Trial, trialText } from './endurance/trial.js'
import { machineText, observeMachine } from './machine.js'

const HELP = `npm run endurance -- [options]

Runs mockademy for long, kills it again and again, and fills its disk. Ends with
status 1 when a promise is broken.

  --requests N      mixed requests (default 1000000; 0: none)
  --minutes N       the most that the mixed requests may take (default 60)
  --kills N         SIGKILLs under eight writers (default 100; 0: none)
  --no-full-disk    leaves out the full disk, which needs root on Linux
  --json FILE       writes what came of it as JSON, too
`

const { values: flags } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    minutes: { type: 'string', default: '60' },
    kills: { type: 'string', default: '100' },
    'full-disk': { type: 'boolean', default: true },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
  allowNegative: true,
})

/** @throws Error naming the flag, when its value is not a number of things. */
function count(flag: 'requests' | 'minutes' | 'kills'): number {
  const value = Number(flags[flag])
  if (!Number.isInteger(value) || value < 0) throw new Error(`--${flag} must be a whole number, not ${flags[flag]}.`)
  return value
}

async function run(): Promise<void> {
  if (flags.help) return say(HELP)
  const machine = observeMachine()
  const [requests, minutes, rounds] = [count('requests'), count('minutes'), count('kills')]
  const trials: Trial[] = []
  const report = (trial: Trial) => {
    trials.push(trial)
    say(`${trialText(trial)}\n`)
  }
  if (requests > 0) report(await mixed(requests, minutes * 60_000, say))
  if (rounds > 0) report(await kills(rounds, say))
  if (flags['full-disk']) report(await fullDisk())
  say(`${machineText(machine())}\n`)
  if (flags.json !== undefined) {
    await writeFile(flags.json, `${JSON.stringify({ machine: machine(), trials }, undefined, 2)}\n`)
  }
  if (trials.some(({ broken }) => broken.length > 0)) process.exitCode = 1
}

function say(text: string): void {
  process.stdout.write(text)
}

await run().catch((error: unknown) => {
  process.stderr.write(`endurance: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
