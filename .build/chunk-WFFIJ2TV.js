import {
  recordFields,
  timestamp
} from "./chunk-PA6CYUBJ.js";

// src/webhooks/delivery-record.ts
import * as z from "zod";
var attempt = z.object({
  at: timestamp,
  /** Null when no answer came. */
  status: z.int().nullable(),
  /** Real milliseconds. */
  duration: z.number(),
  error: z.string().nullable(),
  fault: z.string().nullable(),
  /** `body` is null when it was the delivery's own. */
  request: z.object({ headers: z.record(z.string(), z.string()), body: z.string().nullable() }),
  response: z.object({ headers: z.record(z.string(), z.string()), body: z.string() }).nullable()
});
var deliveryStates = ["pending", "acknowledged", "retrying", "failed", "dropped"];
var deliveryRecord = z.object({
  ...recordFields,
  event: z.object({ id: z.string(), type: z.string() }),
  app: z.string(),
  installation: z.string(),
  organization: z.string(),
  url: z.string(),
  body: z.string(),
  state: z.enum(deliveryStates),
  due_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
  tries: z.int(),
  held: z.object({ effect: z.enum(["delay", "reorder"]), fault: z.string() }).nullable(),
  attempts: z.array(attempt)
});

export {
  deliveryStates,
  deliveryRecord
};
