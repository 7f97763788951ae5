import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createBench } from './context.js'
import type { Row } from './figures.js'
import { isBusy, machineText, observeMachine } from './machine.js'
import { measurements } from './measurements.js'
import { installPeers } from './peers.js'
import { ROOT } from './processes.js'
import { type Report, rowText, summaryText } from './report.js'

const BUSY = 'The machine was busy: milliseconds say little, ratios more; measure again when it is quiet.\n'

const HELP = `npm run bench -- [options]

Measures mockademy against servers that it starts itself, in turns, and prints every
figure beside its goal. A goal that is missed is not an error.

  --quick        fewer rounds; all of it ends within 90 s
  --only GLOB    only the rows whose name matches; may be given several times
  --list         prints the names of the rows
  --json FILE    writes the figures as JSON, too
  --peers        measures json-server, oauth2-mock-server and emulate beside it,
                 installed from the registry into a temporary folder
  --package DIR  measures the package in that folder instead of this one
`

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    list: { type: 'boolean', default: false },
    json: { type: 'string' },
    peers: { type: 'boolean', default: false },
    package: { type: 'string', default: ROOT },
    help: { type: 'boolean', default: false },
  },
  allowNegative: true,
})

const matches = (glob: string) => {
  const pattern = glob.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
  return (id: string) => new RegExp(`^${pattern}$`).test(id)
}

async function run(): Promise<void> {
  const wanted = flags.only?.map(matches) ?? [() => true]
  const chosen = measurements.filter(({ id }) => wanted.some((wants) => wants(id)))
  if (flags.help) return print(HELP)
  if (flags.list) return print(`${chosen.map(({ id }) => id).join('\n')}\n`)
  if (chosen.length === 0) throw new Error(`No row is called ${flags.only?.join(' or ')}. --list prints their names.`)

  const root = resolve(flags.package)
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const started = new Date()
  const machine = observeMachine()
  const peers = flags.peers ? await installPeers(print) : undefined
  const { bench, close } = await createBench(root, flags.quick, peers)
  const rows: Row[] = []
  const report = (): Report => ({
    mockademy: version,
    started_at: started.toISOString(),
    seconds: Math.round((Date.now() - started.getTime()) / 1000),
    quick: flags.quick,
    machine: machine(),
    rows,
  })
  try {
    for (const { id, measure } of chosen) {
      const row = { id, ...(await measure(bench)) }
      rows.push(row)
      print(`${rowText(row)}\n`)
      // After each row, so that a run that is cut short leaves what it has measured.
      if (flags.json !== undefined) await writeFile(flags.json, `${JSON.stringify(report(), undefined, 2)}\n`)
    }
  } finally {
    await close()
  }
  const { machine: measuredOn, seconds } = report()
  print(`${summaryText(rows)}mockademy ${version} on ${machineText(measuredOn)}; ${seconds} s\n`)
  if (isBusy(measuredOn)) print(BUSY)
}

function print(text: string): void {
  process.stdout.write(text)
}

await run().catch((error: unknown) => {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
