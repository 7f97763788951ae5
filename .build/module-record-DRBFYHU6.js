import {
  moduleFields
} from "./chunk-D6FFRSSK.js";
import {
  withoutDefaults
} from "./chunk-RQ77OIZO.js";
import {
  recordFields
} from "./chunk-PA6CYUBJ.js";
import "./chunk-ELCYYWVK.js";

// src/modules/module-record.ts
import * as z from "zod";
var moduleRecord = z.object({
  ...recordFields,
  organization: z.string(),
  course: z.string(),
  order: z.string(),
  ...withoutDefaults(moduleFields)
});
export {
  moduleRecord
};
