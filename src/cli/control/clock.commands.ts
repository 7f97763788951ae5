import type { CommandGroup } from '../command.js'
import { subcontrol } from './control-command.js'

/** control-api: "Clock" */
export const clock: CommandGroup = {
  subcommands: [
    subcontrol(['show', '$0'], 'Show the time', {
      call: () => ({ method: 'GET', path: '/_admin/clock' }),
    }),
    subcontrol('advance <by>', 'Move time forward, with what falls due on the way', {
      operands: { by: { type: 'string', describe: 'Milliseconds, or "90s", "1h", "30d"' } },
      call: ({ by }) => ({
        method: 'POST',
        path: '/_admin/clock/advance',
        body: { by: /^\d+$/.test(String(by)) ? Number(by) : by },
      }),
    }),
    subcontrol('freeze [at]', 'Stop time, here or at a date-time', {
      operands: { at: { type: 'string', describe: 'ISO 8601 date-time' } },
      call: ({ at }) => ({ method: 'POST', path: '/_admin/clock/freeze', body: { at } }),
    }),
    subcontrol('resume', 'Let time run again from where it stands', {
      call: () => ({ method: 'POST', path: '/_admin/clock/resume' }),
    }),
  ],
}
