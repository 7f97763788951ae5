import * as z from 'zod'
import { Refusal } from '../../foundation/http/refusal.js'
import { chapter, shape } from './call.js'
import { publishChange } from './publish-events.js'
import { anything, scenarioDocument, stepKinds } from './scenario-schemas.js'

const call = chapter('Scenarios')

const stepResult = shape('ScenarioStepResult', 'Result of a step of a scenario', {
  index: z.int(),
  name: z.string().nullable(),
  step: z.enum(stepKinds),
  ok: z.boolean(),
  ms: z.number().describe('Real milliseconds; 0 with a seed while the clock is stopped'),
  result: anything.optional(),
  error: z
    .object({
      message: z.string().describe('The expected and the actual value, in a sentence'),
      mismatches: z.array(z.object({ path: z.string(), expected: anything, got: anything.optional() })),
      entries: z.array(z.int()).describe('Ids of the journal entries since the step before'),
    })
    .optional(),
})

const scenarioResult = shape('ScenarioResult', 'Result of a scenario', {
  passed: z.boolean(),
  steps: z.array(stepResult).describe('Steps that ran, up to the first that failed'),
})

const leftOut = z.object({
  before: z.int().describe('Index of the step that it preceded'),
  request: z.string(),
  why: z.string(),
})

/** A scenario in a response, as a client sends it. Its own schema describes one that has been read, with defaults. */
export const shownScenario = z
  .unknown()
  .meta({ override: { $ref: '#/components/schemas/Scenario' } }) as unknown as typeof scenarioDocument

const recording = shape('Recording', 'A scenario made of what was recorded', {
  scenario: shownScenario,
  left_out: z
    .array(leftOut)
    .describe('Requests left out of the steps, because they cannot be repeated without their secrets'),
})

// Scenarios are run and recorded by a client of this API, which is above it: the world has it as a part.
export const scenarioCalls = {
  runScenario: call('POST', '/_admin/scenarios', {
    summary: 'Run the steps of a scenario, up to the first that fails',
    loses: true,
    body: scenarioDocument,
    uncheckedBody: 'a scenario',
    response: scenarioResult,
    handler: async (world, { body, signal }) =>
      (await world.scenarios.run(body, signal)) as z.input<typeof scenarioResult>,
  }),
  startRecording: call('POST', '/_admin/recording', {
    summary: 'Start recording control calls and requests',
    status: 201,
    response: z.object({ since: z.string().describe("The time on the emulator's clock") }),
    async handler(world) {
      const since = await world.scenarios.startRecording()
      publishChange(world, 'recordings', '*', 'put')
      return { since }
    },
  }),
  stopRecording: call('DELETE', '/_admin/recording', {
    summary: 'Stop recording and return the scenario, without secrets',
    response: recording,
    async handler(world) {
      const recorded = await world.scenarios.stopRecording()
      if (recorded) {
        publishChange(world, 'recordings', '*')
        return recorded as z.input<typeof recording>
      }
      const message = 'Nothing is being recorded; POST /_admin/recording starts a recording'
      throw new Refusal('not_found', { message })
    },
  }),
}
