import type { CommandGroup } from './command.js'
import { scenarioRecordCommand } from './scenario-record.command.js'
import { scenarioRunCommand } from './scenario-run.command.js'

/** `mockademy scenario …`. control-api: "Scenarios" */
export const scenarioCommand: CommandGroup = { subcommands: [scenarioRunCommand, scenarioRecordCommand] }
