import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { test } from '../harness/command-line.js'
import { startProcess } from '../harness/emulator-process.js'

/** The most memory that a process has held, in MB. */
const peakOf = (pid: number) =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

test.runIf(process.platform === 'linux')(
  'design: "Speed": with 100,000 elements a first load peaks at 400 MB at most, and a restart at 350',
  async ({ folder, run }) => {
    const fixtures = join(folder, 'world.json')
    const store = join(folder, 'store.json')
    expect(await run(['generate', '--elements', '100000', '--out', fixtures])).toMatchObject({ status: 0 })

    const first = await startProcess({ store, fixtures })
    const peakOfFirst = peakOf(first.pid)
    await first.kill()
    expect(peakOfFirst).toBeLessThan(400)

    const second = await startProcess({ store })
    const { counts } = (await (await fetch(`${second.url}/_admin`)).json()) as { counts: Record<string, number> }
    const peakOfSecond = peakOf(second.pid)
    await second.kill()
    expect(counts.elements).toBe(100_000)
    expect(peakOfSecond).toBeLessThan(350)
  },
)
