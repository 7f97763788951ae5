import type { Command } from './command.js'

export interface CommandEntry {
  /** As yargs reads it: names and operands. */
  line: string | string[]
  describe: string
  load(): Promise<Command>
}

/** Every command, the default one first. control-api: "CLI" */
export const commands: CommandEntry[] = [
  {
    line: ['start', '$0'],
    describe: 'Start the emulator (the default command)',
    load: async () => (await import('./start.command.js')).start,
  },
  {
    line: 'exec',
    describe:
      'Start one on a free port, run the command after -- with its addresses in the environment, end with its status',
    load: async () => (await import('./exec.command.js')).exec,
  },
  {
    line: 'wait',
    describe: 'Wait until an emulator serves',
    load: async () => (await import('./wait.command.js')).wait,
  },
  {
    line: 'validate <file..>',
    describe: 'Check fixture files, listing every fault',
    load: async () => (await import('./validate.command.js')).validate,
  },
  {
    line: 'ca',
    describe: 'Show the local certificate authority that --https uses, made when there is none',
    load: async () => (await import('./ca.command.js')).ca,
  },
]
