import type { CommandGroup } from '../command.js'
import { subcontrol } from './control-command.js'

/** control-api: "Clock" */
export const clockCommand: CommandGroup = {
  subcommands: [
    subcontrol(['show', '$0'], 'Show the time', { calls: ['clock'] }),
    subcontrol('advance <by>', 'Move time forward, with what falls due on the way', {
      operands: { by: { type: 'string', describe: 'Milliseconds, or "90s", "1h", "30d"' } },
      example: '61m',
      calls: ['advanceClock'],
      answer: (call, { by }) => call('advanceClock', { body: { by: /^\d+$/.test(String(by)) ? Number(by) : by } }),
    }),
    subcontrol('freeze [at]', 'Stop time, here or at a date-time', {
      operands: { at: { type: 'string', describe: 'ISO 8601 date-time' } },
      example: '2030-01-01T00:00:00Z',
      calls: ['freezeClock'],
      answer: (call, { at }) => call('freezeClock', { body: { at } }),
    }),
    subcontrol('resume', 'Let time run again from where it stands', { calls: ['resumeClock'] }),
  ],
}
