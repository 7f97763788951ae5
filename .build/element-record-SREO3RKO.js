import {
  freeForm,
  recordFields,
  timestamp
} from "./chunk-PA6CYUBJ.js";
import "./chunk-ELCYYWVK.js";

// src/elements/element-record.ts
import * as z from "zod";
var elementRecord = z.object({
  ...recordFields,
  organization: z.string(),
  course: z.string(),
  module: z.string(),
  order: z.string(),
  type: z.string(),
  name: z.string(),
  content: z.string(),
  cover: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  properties: freeForm,
  updated_at: timestamp
});
export {
  elementRecord
};
