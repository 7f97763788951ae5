import * as z from 'zod'
import { clockMoment, LATEST } from '../../emulator/world/clock-record.js'
import { Refusal } from '../../foundation/http/refusal.js'
import { duration } from '../../foundation/schema/duration-schema.js'
import * as words from '../../foundation/schema/schema-words.js'
import { chapter } from './call.js'

const call = chapter('Clock')

const clock = z
  .object({
    now: z.string(),
    frozen: z.boolean().describe('True while the clock is stopped'),
    offset: z.number().describe("Milliseconds by which it is ahead of the machine's clock"),
  })
  .meta({ id: 'Clock' })

const moment = clockMoment(words).transform((text) => Date.parse(text))

export const clockCalls = {
  clock: call('GET', '/_admin/clock', {
    summary: 'Show the time',
    command: { line: 'clock show' },
    response: clock,
    handler: (world) => world.clock.state(),
  }),
  advanceClock: call('POST', '/_admin/clock/advance', {
    summary: 'Advance the clock; everything that falls due happens before it returns',
    note: 'For example by "61m" or "30d". Tokens expire and webhook retries happen on the way. To go back in time, use restoreSnapshot or reset.',
    command: { line: 'clock advance <by>', example: '61m' },
    argument: 'by',
    body: z.strictObject({ by: duration.describe('Milliseconds, or "90s", "1h", "30d"') }),
    response: clock,
    async handler(world, { body: { by } }) {
      if (world.clock.now() + by > LATEST) {
        throw new Refusal('invalid', { details: [{ path: 'by', message: 'leads past the year 9000' }] })
      }
      if (!(await world.clock.advance(by))) {
        throw new Refusal('conflict', { message: 'The clock is being advanced by another call; wait for its response' })
      }
      return world.clock.state()
    },
  }),
  freezeClock: call('POST', '/_admin/clock/freeze', {
    summary: 'Stop the clock, now or at a given time',
    command: { line: 'clock freeze [at]', example: '2030-01-01T00:00:00Z' },
    bodyOptional: true,
    argument: 'at',
    body: z.strictObject({
      at: moment.optional().describe('An ISO 8601 date-time; the current time when left out'),
    }),
    response: clock,
    handler(world, { body: { at } }) {
      world.clock.freeze(at)
      return world.clock.state()
    },
  }),
  resumeClock: call('POST', '/_admin/clock/resume', {
    summary: 'Let the clock run again from its current time',
    command: { line: 'clock resume' },
    response: clock,
    handler(world) {
      world.clock.resume()
      return world.clock.state()
    },
  }),
}
