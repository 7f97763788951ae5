import type { ComposedTool } from './composed-tool.js'
import { failureTools } from './failure.tools.js'
import { proofTools } from './proof.tools.js'
import { trialTools } from './trial.tools.js'
import { worldTools } from './world.tools.js'

/** Every composed tool, in the order in which agents see them. agents: "Coding agents" */
export const composedTools: Record<string, ComposedTool> = {
  ...failureTools,
  ...trialTools,
  ...proofTools,
  ...worldTools,
}
