import type { CallResult, Handlers } from '../call-types.js'
import type { scenarioSchemas } from '../schemas/scenarios.schemas.js'

/** control-api: "Scenarios" */
export const scenarioHandlers: Handlers<keyof typeof scenarioSchemas> = {
  // The program that runs them is a client of this very API, so it is above it: the world has it as a part.
  runScenario: async (world, { body, signal }) =>
    (await world.scenarios.run(body, signal)) as CallResult<'runScenario'>,
}
