import type { FaultRecord } from '../../../emulator/faults/fault-record.js'
import { timesLeft } from '../../../emulator/faults/faults.js'
import type { CallResult, Handlers } from '../call-types.js'
import type { faultSchemas } from '../schemas/faults.schemas.js'
import { appOf, organizationOf } from './named-records.js'
import { noSuch } from './no-such.js'

function presentFault(fault: FaultRecord): CallResult<'addFault'> {
  const { sequence: _, seen: __, ...fields } = fault
  return { ...fields, left: timesLeft(fault) }
}

/** control-api: "Faults" */
export const faultHandlers: Handlers<keyof typeof faultSchemas> = {
  addFault(world, { body: { expires_in, times = null, ...given } }) {
    const { app, organization } = given.match
    if (app !== undefined) appOf(world, app)
    if (organization !== undefined) organizationOf(world, organization)
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
    return presentFault(fault)
  },
  listFaults: (world) => [...world.store.faults.all].map(presentFault),
  clearFaults(world) {
    const faults = [...world.store.faults.all]
    world.store.change((tx) => {
      for (const { id } of faults) tx.remove('faults', id)
    })
    return faults.map(presentFault)
  },
  deleteFault(world, { params }) {
    const fault = world.store.faults.get(params.id)
    if (!fault) {
      const ids = [...world.store.faults.all].map(({ id }) => id)
      throw noSuch('fault', params.id, ids)
    }
    world.store.change((tx) => tx.remove('faults', fault.id))
    return presentFault(fault)
  },
}
