import { cpus, loadavg, release, totalmem } from 'node:os'

/** Hardware and load of a run. Nothing identifies the machine or its user. */
export interface Machine {
  cores: number
  cpu: string
  memory_gb: number
  platform: string
  node: string
  /** The load average of the last minute when the run began, and when it ended. */
  load: { before: number; after: number }
}

const loadNow = () => Number((loadavg()[0] ?? 0).toFixed(2))

/** Looks at the machine now. @returns a function that gives the machine with its load at the end, too. */
export function observeMachine(): () => Machine {
  const before = loadNow()
  return () => ({
    cores: cpus().length,
    cpu: cpus()[0]?.model ?? 'unknown',
    memory_gb: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch} ${release().split('-')[0]}`,
    node: process.version,
    load: { before, after: loadNow() },
  })
}

export const machineText = ({ cores, cpu, memory_gb, platform, node, load }: Machine) =>
  `${cores} cores (${cpu}), ${memory_gb} GB, ${platform}, Node ${node}, load ${load.before} before and ${load.after} after`

/** A machine with more to do than it has cores makes every figure slower, and not every one alike. */
export const isBusy = ({ cores, load }: Machine) => Math.max(load.before, load.after) > cores
