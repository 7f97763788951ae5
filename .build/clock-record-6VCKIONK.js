import {
  recordFields,
  timestamp
} from "./chunk-PA6CYUBJ.js";
import "./chunk-ELCYYWVK.js";

// src/world/clock-record.ts
import * as z from "zod";
var clockRecord = z.object({
  ...recordFields,
  frozen: z.boolean(),
  at: timestamp.nullable(),
  offset: z.number()
});
export {
  clockRecord
};
