import { resolveSettings } from '../../emulator/world/settings.js'
import { readSeed } from '../fixtures/seed.js'
import { namingFixtures } from './invalid-fixtures-error.js'
import { type LaunchOptions, launch, type Running } from './launch.js'

/**
 * Starts as many emulators in this process as the setting `worlds` says: one for each port from `port` on (each on any
 * free one with port 0), with stores `store.0.json` and so on. Starts all or none. control-api: "Worlds"
 * @throws what `launch` throws.
 */
export async function startWorlds(options: LaunchOptions): Promise<Running[]> {
  const from = await namingFixtures(() => readSeed(options.fixtures))
  const { explicitSettings = {}, defaults } = options
  const { port, worlds } = resolveSettings(explicitSettings, from.settings, { port: 0, ...defaults })
  if (worlds === 1) return [await launch({ ...options, from })]

  const neighbours: { index: number; url: string }[] = []
  const starts = Array.from({ length: worlds }, (_, index) =>
    launch({
      ...options,
      from,
      explicitSettings: { ...explicitSettings, port: port && port + index },
      index,
      neighbours,
    }),
  )
  const settled = await Promise.allSettled(starts)
  const emulators = settled.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const failed = settled.find((start) => start.status === 'rejected')
  if (failed) {
    await Promise.all(emulators.map((emulator) => emulator.close()))
    throw failed.reason
  }
  neighbours.sort((a, b) => a.index - b.index)
  return emulators
}
