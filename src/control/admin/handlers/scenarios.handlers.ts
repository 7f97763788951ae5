import { Refusal } from '../../../foundation/http/refusal.js'
import type { CallResult, Handlers } from '../call-types.js'
import type { scenarioSchemas } from '../schemas/scenarios.schemas.js'

/** control-api: "Scenarios" */
export const scenarioHandlers: Handlers<keyof typeof scenarioSchemas> = {
  // The program that runs them is a client of this very API, so it is above it: the world has it as a part.
  runScenario: async (world, { body, signal }) =>
    (await world.scenarios.run(body, signal)) as CallResult<'runScenario'>,
  async startRecording(world) {
    await world.scenarios.startRecording()
    return { since: world.clock.timestamp() }
  },
  async stopRecording(world) {
    const recording = await world.scenarios.stopRecording()
    if (recording) return recording as CallResult<'stopRecording'>
    throw new Refusal('not_found', { message: 'Nothing is being recorded; POST /_admin/recording begins it' })
  },
}
