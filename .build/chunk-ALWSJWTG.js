import {
  freeForm,
  recordFields,
  timestamp
} from "./chunk-PA6CYUBJ.js";

// src/faults/fault-record.ts
import * as z from "zod";
var faultRecord = z.object({
  ...recordFields,
  match: freeForm,
  effect: z.unknown(),
  phase: z.enum(["before", "after"]),
  times: z.int().nullable(),
  after: z.int(),
  probability: z.number(),
  expires_at: timestamp.nullable(),
  seen: z.int(),
  hits: z.int()
});

export {
  faultRecord
};
