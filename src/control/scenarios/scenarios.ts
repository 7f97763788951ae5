import type { Recording, Scenarios } from '../../emulator/world/scenario-parts.js'
import type { World } from '../../emulator/world/world.js'
import { OwnConnections } from './own-connections.js'

/**
 * Runs and records scenarios in the emulator of this process, as a client of its control API. What a run needs is loaded
 * with the first one: a start must not wait for it.
 */
export function createScenarios(getWorld: () => World): Scenarios {
  const connections = new OwnConnections()
  let finish: ((world: World) => Recording) | undefined
  /** Ends the recording that is under way first: should it fail, the next one can begin all the same. */
  const stop = () => {
    const recording = finish
    finish = undefined
    return recording?.(getWorld())
  }
  return {
    isOwn: (client, port) => connections.has(client, port),
    async run(document, signal) {
      const { runScenario } = await import('./run-scenario.js')
      return runScenario(document, getWorld(), connections, signal)
    },
    async startRecording() {
      const { record } = await import('./recorder.js')
      stop()
      finish = record(getWorld().journal)
    },
    stopRecording: async () => stop(),
  }
}
