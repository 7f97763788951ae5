import { type CommandGroup, flag } from '../command/command.js'
import { commandOf, subcontrol } from './control-command.js'

/** liberties: "Setting" */
export const libertiesCommand: CommandGroup = {
  subcommands: [
    commandOf('getLiberties'),
    subcontrol('set <seed>', 'Take liberties by seed, from its beginning', {
      operands: { seed: { type: 'string', describe: 'Any text' } },
      flags: { kinds: flag.text('shape, weather, future or ids, comma-separated; a leading - excludes one') },
      example: '7 --kinds shape,weather,-slow',
      calls: ['setLiberties'],
      request: (call, { seed, kinds }) => call('setLiberties', { body: { seed: String(seed), kinds } }),
    }),
    commandOf('clearLiberties'),
  ],
}
