import { LATEST } from '../../../emulator/world/clock-record.js'
import { Refusal } from '../../../foundation/http/refusal.js'
import type { Handlers } from '../call-types.js'
import type { clockSchemas } from '../schemas/clock.schemas.js'

/** control-api: "Clock" */
export const clockHandlers: Handlers<keyof typeof clockSchemas> = {
  clock: (world) => world.clock.state(),
  async advanceClock(world, { body: { by } }) {
    if (world.clock.now() + by > LATEST) {
      throw new Refusal('invalid', { details: [{ path: 'by', message: 'leads past the year 9000' }] })
    }
    if (!(await world.clock.advance(by))) {
      throw new Refusal('conflict', { message: 'The clock is being advanced by another call; wait for its response' })
    }
    return world.clock.state()
  },
  freezeClock(world, { body: { at } }) {
    world.clock.freeze(at)
    return world.clock.state()
  },
  resumeClock(world) {
    world.clock.resume()
    return world.clock.state()
  },
}
