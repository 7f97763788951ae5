import { resolveSettings } from '../../emulator/world/settings.js'
import { StartError } from '../../foundation/store/start-error.js'
import { readInitialContent } from '../fixtures/initial-content.js'
import { asFixtureErrors } from './invalid-fixtures-error.js'
import { type LaunchOptions, launch, type Running } from './launch.js'

const MAX_PORT = 65_535

/**
 * Starts as many emulators in this process as the setting `worlds` says, or none: one for each port from `port` on,
 * with stores `store.0.json` and so on, and with seeds such as `seed:1` behind the first. control-api: "Worlds"
 * @throws as `launch`
 */
export async function startWorlds(options: LaunchOptions): Promise<Running[]> {
  const content = await asFixtureErrors(() => readInitialContent(options.fixtures))
  const { explicitSettings = {}, defaults } = options
  const { port, worlds, seed } = resolveSettings(explicitSettings, content.settings, { port: 0, ...defaults })
  const last = port + worlds - 1
  if (port !== 0 && last > MAX_PORT) {
    const message = `${worlds} worlds starting at port ${port} need ports up to ${last}; the maximum is ${MAX_PORT}`
    throw new StartError(2, `${message}: lower --port or --worlds`)
  }
  if (worlds === 1) return [await launch({ ...options, content })]

  const started: LaunchOptions['worlds'] = []
  const starts = Array.from({ length: worlds }, (_, index) => {
    const own = index > 0 && seed !== undefined && { seed: `${seed}:${index}` }
    const settings = { ...explicitSettings, port: port && port + index, ...own }
    return launch({ ...options, content, explicitSettings: settings, index, worlds: started })
  })
  const settled = await Promise.allSettled(starts)
  const emulators = settled.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const failed = settled.find((start) => start.status === 'rejected')
  if (failed) {
    await Promise.all(emulators.map((emulator) => emulator.close()))
    throw failed.reason
  }
  return emulators
}
