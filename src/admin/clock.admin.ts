import * as z from 'zod'
import { Refusal } from '../http/refusal.js'
import { type Route, route } from '../http/route.js'
import { duration } from '../schema/duration.js'
import { bodyOf, ok, optionalBodyOf, strict } from './answer.js'

const source = 'control-api: Clock'

/** Timestamps have four digits for the year, those of tokens that live on for a while too. */
const LATEST = Date.UTC(9000)

export const clockShape = z.object({ now: z.string(), frozen: z.boolean(), offset: z.number() })
export const advanceRequest = strict({ by: duration })
export const freezeRequest = strict({
  at: z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 date-time with Z or an offset' })
    .transform((text) => Date.parse(text))
    .refine((at) => at <= LATEST, 'is past the year 9000')
    .optional(),
})

/** control-api: "Clock" */
export const clockRoutes: Route[] = [
  route('GET', '/_admin/clock', { id: 'clock', summary: 'The time', source, answer: clockShape }, (world) =>
    ok(world.clock.state()),
  ),
  route(
    'POST',
    '/_admin/clock/advance',
    { id: 'advanceClock', summary: 'Move time forward', source, body: advanceRequest, answer: clockShape },
    async (world, request) => {
      const { by } = bodyOf(request, advanceRequest)
      if (world.clock.now() + by > LATEST) {
        throw new Refusal('invalid', { details: [{ path: 'by', message: 'leads past the year 9000' }] })
      }
      if (!(await world.clock.advance(by))) {
        throw new Refusal('conflict', { message: 'The clock is being advanced by another call; wait for its answer' })
      }
      return ok(world.clock.state())
    },
  ),
  route(
    'POST',
    '/_admin/clock/freeze',
    { id: 'freezeClock', summary: 'Stop time', source, body: freezeRequest, answer: clockShape },
    (world, request) => {
      world.clock.freeze(optionalBodyOf(request, freezeRequest).at)
      return ok(world.clock.state())
    },
  ),
  route(
    'POST',
    '/_admin/clock/resume',
    { id: 'resumeClock', summary: 'Let time run again from there', source, answer: clockShape },
    (world) => {
      world.clock.resume()
      return ok(world.clock.state())
    },
  ),
]
