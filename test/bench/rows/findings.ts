import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { atMost } from '../figures.js'
import { throughput } from '../load.js'
import type { Measurement } from '../measurement.js'
import { ROOT, startServer } from '../processes.js'
import { summarize } from '../sampling.js'
import { bearer, ELEMENT } from '../worlds.js'

const CONNECTIONS = 16
const MOST = 5

interface Node {
  id: number
  callFrame: { functionName: string }
  children?: number[]
}

/** A CPU profile of V8. */
interface Profile {
  nodes: Node[]
  samples: number[]
  timeDeltas: number[]
}

/**
 * Cost of judging every exchange: its share of the process's working time, while an authenticated GET of one element
 * is sent as fast as it is answered. Findings cannot be turned off, so there is no throughput without them to measure.
 */
const id = 'findings'
export const findings: Measurement = {
  id,
  async measure(bench) {
    const amount = bench.times(40_000, 8000)
    const shares: number[] = []
    for (let round = 0; round < bench.times(5, 3); round++) shares.push(await shareOfJudging())
    const figure = { name: 'judging', unit: '%' as const, values: shares, ...summarize(shares) }
    return {
      title: `share of the process's time that judging takes, authenticated GET, ${CONNECTIONS} connections`,
      figures: [figure],
      goals: [atMost(MOST, figure.median, 'share of the time, %')],
      notes: [],
    }

    async function shareOfJudging(): Promise<number> {
      const folder = await bench.folder(id)
      const store = await bench.storeOf(1000)
      const profiled = ['--cpu-prof', '--cpu-prof-dir', folder, '--cpu-prof-interval', '500']
      const script = join(ROOT, 'bin', 'mockademy.js')
      const server = await startServer({ args: [...profiled, script, 'start', '--port', '0', '--store', store] })
      await throughput(`${server.url}/v0/elements/${ELEMENT}`, { headers: bearer }, CONNECTIONS, amount)
      await server.stop()
      const [file = ''] = await readdir(folder)
      return shareOf('judge', JSON.parse(await readFile(join(folder, file), 'utf8')))
    }
  },
}

/** The share of the time at work, in percent, that functions of a name and whatever they call take. */
function shareOf(name: string, { nodes, samples, timeDeltas }: Profile): number {
  const inside = new Set<number>()
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const enter = (node: Node | undefined) => {
    if (!node || inside.has(node.id)) return
    inside.add(node.id)
    for (const child of node.children ?? []) enter(byId.get(child))
  }
  for (const node of nodes) if (node.callFrame.functionName === name) enter(node)
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id))
  let working = 0
  let judging = 0
  for (const [index, sample] of samples.entries()) {
    const time = timeDeltas[index] as number
    if (!idle.has(sample)) working += time
    if (inside.has(sample)) judging += time
  }
  return (100 * judging) / working
}
