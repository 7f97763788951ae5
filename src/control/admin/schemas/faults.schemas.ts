import * as z from 'zod'
import { faultRequest } from '../../../emulator/faults/fault-request.js'
import type { CallSchemas } from '../call.js'

const fault = z
  .object({
    id: z.string(),
    match: z.record(z.string(), z.unknown()),
    effect: z.unknown(),
    phase: z.enum(['before', 'after']),
    times: z.int().nullable().describe('How often it fires; null: always'),
    after: z.int(),
    probability: z.number(),
    expires_at: z.string().nullable(),
    hits: z.int(),
    left: z.int().nullable().describe('How often it will still fire; null: always'),
    created_at: z.string(),
  })
  .meta({ id: 'Fault' })

/** control-api: "Faults" */
export const faultSchemas = {
  addFault: { body: faultRequest.meta({ id: 'NewFault' }), answer: fault },
  listFaults: { answer: fault },
  clearFaults: { answer: fault },
  deleteFault: { answer: fault },
} as const satisfies Record<string, CallSchemas>
