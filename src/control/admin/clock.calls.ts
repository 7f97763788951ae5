import * as z from 'zod'
import { CLOCK_RANGE, clockMoment, isClockTime } from '../../emulator/world/clock-record.js'
import type { World } from '../../emulator/world/world.js'
import { invalid, Refusal } from '../../foundation/http/refusal.js'
import * as words from '../../foundation/schema/schema-words.js'
import { chapter, name, shape } from './call.js'
import { organizationOf } from './named-records.js'
import { presentClock } from './stream-shapes.js'

const call = chapter('Clock')

const time = {
  now: z.string(),
  frozen: z.boolean().describe('True while the clock is stopped'),
  offset: z.number().describe('Milliseconds that it is ahead of the clock that it follows, or was before it stopped'),
}

const move = z.object({
  organization: z.string().nullable(),
  kind: z.enum(['advance', 'freeze', 'resume']),
  from: z.string(),
  to: z.string(),
})

const clock = shape('Clock', "The emulator's clock, and the clocks of organizations that were moved on their own", {
  ...time,
  organizations: z
    .array(z.object({ organization: z.string(), ...time }))
    .describe("Those whose clock was moved on its own; it follows the emulator's"),
  moves: z.array(move).optional().describe('The newest 200, oldest first'),
})

const moved = shape('MovedClock', 'A clock that was moved, stopped or resumed', {
  organization: z.string().nullable().describe("Null: the emulator's clock"),
  ...time,
})

const moment = clockMoment(words).transform((text) => Date.parse(text))

const organization = name.optional().describe('Slug: moves its clock alone')

/** Returns the organization whose clock a call moves; null for the emulator's. @throws Refusal 404 */
const clockOwnerOf = (world: World, { organization }: { organization?: string | undefined }): string | null =>
  organization === undefined ? null : organizationOf(world, organization).id

const presentMoved = ({ clock }: Pick<World, 'clock'>, organization: string | null): z.input<typeof moved> => ({
  organization,
  ...clock.state(organization),
})

/** Rejects a move that would take a clock, or one that follows it, out of the range of timestamps. @throws Refusal 400 */
function rejectOutOfRange({ clock }: Pick<World, 'clock'>, organization: string | null, path: string, to: number) {
  const following = organization === null ? clock.organizations().map((slug) => clock.at(slug, to)) : []
  if ([to, ...following].every(isClockTime)) return
  throw invalid([{ path, message: `moves a clock out of its range: it ${CLOCK_RANGE}` }])
}

export const clockCalls = {
  clock: call('GET', '/_admin/clock', {
    summary: 'Show the time',
    command: { line: 'clock show' },
    query: z.strictObject({
      with: z.enum(['moves']).optional().describe('`moves`: also the calls that moved a clock since the last reset'),
    }),
    response: clock,
    handler: (world, { query }) => ({
      ...presentClock(world),
      ...(query.with === 'moves' && { moves: [...world.clock.moves()] }),
    }),
  }),
  advanceClock: call('POST', '/_admin/clock/advance', {
    summary: 'Advance the clock; everything that falls due happens before it returns',
    note: 'For example by "61m" or "30d". Tokens expire and webhook retries happen on the way. To go back in time, use restoreSnapshot or reset.',
    command: { line: 'clock advance <by>', example: '61m' },
    argument: 'by',
    body: z.strictObject({ by: words.duration.describe('Milliseconds, or "90s", "1h", "30d"'), organization }),
    response: moved,
    async handler(world, { body }) {
      const organization = clockOwnerOf(world, body)
      rejectOutOfRange(world, organization, 'by', world.clock.now(organization) + body.by)
      if (!(await world.clock.advance(organization, body.by))) {
        throw new Refusal('conflict', { message: 'The clock is being advanced by another call; wait for its response' })
      }
      return presentMoved(world, organization)
    },
  }),
  freezeClock: call('POST', '/_admin/clock/freeze', {
    summary: 'Stop the clock, now or at a given time',
    command: { line: 'clock freeze [at]', example: '2030-01-01T00:00:00Z' },
    bodyOptional: true,
    argument: 'at',
    body: z.strictObject({
      at: moment.optional().describe('An ISO 8601 date-time; the current time when left out'),
      organization,
    }),
    response: moved,
    handler(world, { body }) {
      const organization = clockOwnerOf(world, body)
      if (body.at !== undefined) rejectOutOfRange(world, organization, 'at', body.at)
      world.clock.freeze(organization, body.at)
      return presentMoved(world, organization)
    },
  }),
  resumeClock: call('POST', '/_admin/clock/resume', {
    summary: 'Let the clock run again from its current time',
    command: { line: 'clock resume' },
    bodyOptional: true,
    body: z.strictObject({ organization }),
    response: moved,
    handler(world, { body }) {
      const organization = clockOwnerOf(world, body)
      world.clock.resume(organization)
      return presentMoved(world, organization)
    },
  }),
}
