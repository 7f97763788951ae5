import { warningOfVariables } from '../../emulator/world/variables.js'
import { visibleLines } from '../reports/visible.js'
import { type CommandEntry, nameOf } from './command.js'
import { failureOf } from './failure-of.js'
import { isGroup, locate } from './locate.js'
import { quickArguments } from './quick-arguments.js'
import { normaliseBooleans } from './setting-flags.js'

/** Runs `mockademy <argv>`. @returns the exit status; what went wrong has been said on standard error. control-api: "CLI" */
export async function runCommandLine(argv: string[]): Promise<number> {
  const warning = warningOfVariables(process.env)
  if (warning !== undefined) process.stderr.write(`mockademy: warning: ${visibleLines(warning)}\n`)
  try {
    const located = await locate(normaliseBooleans(argv))
    const { entry, loaded, argv: ordered } = located
    const args = isGroup(loaded) ? undefined : quickArguments(loaded, afterName(ordered, entry))
    if (args && !isGroup(loaded)) return await loaded.run(args)
    return await (await import('./run-with-yargs.js')).runWithYargs(located)
  } catch (error) {
    const { exitStatus, message } = failureOf(error)
    process.stderr.write(`${visibleLines(message)}\n`)
    return exitStatus
  }
}

/** Without the command's own name, which the default command may do without. */
const afterName = ([first, ...rest]: string[], entry: CommandEntry): string[] =>
  first === undefined ? [] : first === nameOf(entry) ? rest : [first, ...rest]
