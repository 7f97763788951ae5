import {
  courseFields
} from "./chunk-NZRV57D6.js";
import {
  withoutDefaults
} from "./chunk-RQ77OIZO.js";
import {
  recordFields
} from "./chunk-PA6CYUBJ.js";
import "./chunk-ELCYYWVK.js";

// src/courses/course-record.ts
import * as z from "zod";
var courseRecord = z.object({ ...recordFields, organization: z.string(), ...withoutDefaults(courseFields) });
export {
  courseRecord
};
