import * as z from 'zod'
import { effectsOf, type FaultEffect } from '../../emulator/faults/effects.js'
import { type FaultRecord, organizationIn } from '../../emulator/faults/fault-record.js'
import { type FaultMatch, faultRequest } from '../../emulator/faults/fault-request.js'
import { timesLeft } from '../../emulator/faults/faults.js'
import { chapter, project, shape } from './call.js'
import { finderOf, removeAll, resolveNames } from './named-records.js'

const call = chapter('Faults')

const fault = shape('Fault', 'A fault, and how often it has fired', {
  id: z.string(),
  match: z.record(z.string(), z.unknown()) as unknown as z.ZodType<FaultMatch, FaultMatch>,
  effect: z.unknown() as z.ZodType<FaultEffect, FaultEffect>,
  phase: z.enum(['before', 'after']),
  times: z.int().nullable().describe('Number of times it fires; null: no limit'),
  after: z.int(),
  probability: z.number(),
  expires_at: z.string().nullable(),
  hits: z.int(),
  left: z.int().nullable().describe('Number of times left; null: no limit'),
  created_at: z.string(),
})

/** A stored fault was checked by `faultRequest`, and so has the narrower types of its match and effect. */
const presentFault = (record: FaultRecord) =>
  project(fault, { ...record, left: timesLeft(record) } as z.input<typeof fault>)

const faultOf = finderOf('faults', 'fault')

const effectNames = Object.entries(effectsOf)
  .map(([surface, { names }]) => `Effects on ${surface}: ${names.map((name) => `"${name}"`).join(', ')}.`)
  .join(' ')

export const faultCalls = {
  addFault: call('POST', '/_admin/faults', {
    summary: 'Inject a fault',
    note: `${effectNames} On api and oauth also an object: { "status": 503 }, { "delay": "2s" }, { "connection": "reset" }, { "merge": { … } }. match.surface is required for webhook and id_token. With phase "after", the request takes effect and its response is replaced or lost. times limits how often the fault fires. Delete the fault when you are done.`,
    status: 201,
    body: faultRequest.meta({ id: 'NewFault', description: 'A fault to add' }),
    response: fault,
    handler(world, { body: { expires_in, times = null, ...given } }) {
      const { store, random, clock } = world
      const { app, organization } = given.match
      resolveNames(world, { app, organization })
      const added = store.change((tx) =>
        tx.add('faults', {
          id: random.id(),
          created_at: clock.timestamp(null),
          ...given,
          times,
          expires_at: expires_in === undefined ? null : clock.timestamp(organizationIn(given), expires_in),
          seen: 0,
          hits: 0,
        }),
      )
      return presentFault(added)
    },
  }),
  listFaults: call('GET', '/_admin/faults', {
    summary: 'List the faults, with their hits',
    note: 'A fault that is still set can explain an unexpected error.',
    command: { line: 'faults list', shows: ['id', 'match', 'effect', 'phase', 'hits', 'times'] },
    list: true,
    response: fault,
    handler: (world) => Array.from(world.store.faults.all, presentFault),
  }),
  clearFaults: call('DELETE', '/_admin/faults', {
    summary: 'Delete every fault',
    list: true,
    response: fault,
    handler: (world) => removeAll(world, 'faults').map(presentFault),
  }),
  deleteFault: call('DELETE', '/_admin/faults/:id', {
    summary: 'Delete a fault',
    response: fault,
    find: (world, { id }) => faultOf(world, id),
    handler(world, { found }) {
      world.store.change((tx) => tx.remove('faults', found.id))
      return presentFault(found)
    },
  }),
}
