import type { CommandGroup } from './command.js'
import { recordScenario } from './scenario-record.command.js'
import { runScenarios } from './scenario-run.command.js'

/** `mockademy scenario …`. control-api: "Scenarios" */
export const scenario: CommandGroup = { subcommands: [runScenarios, recordScenario] }
