import * as z from 'zod'
import { faultRequest } from '../faults/effects.js'
import type { FaultRecord } from '../faults/fault-record.js'
import { timesLeft } from '../faults/faults.js'
import { type Route, route } from '../http/route.js'
import { bodyOf, created, list, noSuch, ok } from './answer.js'

/** control-api: "Faults" */
export const faultShape = z.object({
  id: z.string(),
  match: z.record(z.string(), z.unknown()),
  effect: z.unknown(),
  phase: z.enum(['before', 'after']),
  times: z.int().nullable(),
  after: z.int(),
  probability: z.number(),
  expires_at: z.string().nullable(),
  hits: z.int(),
  /** How often it will still fire; null: always. */
  left: z.int().nullable(),
  created_at: z.string(),
})

function presentFault(fault: FaultRecord): z.input<typeof faultShape> {
  const { sequence: _, seen: __, ...fields } = fault
  return { ...fields, left: timesLeft(fault) }
}

const source = 'control-api: Faults'
const listShape = z.object({ data: z.array(faultShape) })

export const faultRoutes: Route[] = [
  route(
    'POST',
    '/_admin/faults',
    { id: 'addFault', summary: 'Inject a fault', source, body: faultRequest, answer: faultShape, status: 201 },
    (world, request) => {
      const { expires_in, times = null, ...given } = bodyOf(request, faultRequest)
      const fault = world.store.change((tx) => {
        const record: FaultRecord = {
          id: world.random.id(),
          sequence: tx.next(),
          created_at: world.clock.timestamp(),
          ...given,
          times,
          expires_at: expires_in === undefined ? null : world.clock.timestamp(expires_in),
          seen: 0,
          hits: 0,
        }
        tx.put('faults', record)
        return record
      })
      return created(presentFault(fault))
    },
  ),
  route(
    'GET',
    '/_admin/faults',
    { id: 'listFaults', summary: 'Faults, with their hits', source, answer: listShape },
    (world) => list([...world.store.faults.all].map(presentFault)),
  ),
  route(
    'DELETE',
    '/_admin/faults',
    { id: 'clearFaults', summary: 'Delete every fault', source, answer: listShape },
    (world) => {
      const faults = [...world.store.faults.all]
      world.store.change((tx) => {
        for (const { id } of faults) tx.remove('faults', id)
      })
      return list(faults.map(presentFault))
    },
  ),
  route(
    'DELETE',
    '/_admin/faults/:id',
    { id: 'deleteFault', summary: 'Delete a fault', source, answer: faultShape },
    (world, request) => {
      const fault = world.store.faults.get(request.params.id)
      if (!fault) {
        const ids = [...world.store.faults.all].map(({ id }) => id)
        throw noSuch('fault', request.params.id, ids)
      }
      world.store.change((tx) => tx.remove('faults', fault.id))
      return ok(presentFault(fault))
    },
  ),
]
