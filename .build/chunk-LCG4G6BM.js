import {
  activityFields
} from "./chunk-ZZ6WPZCE.js";
import {
  withoutDefaults
} from "./chunk-RQ77OIZO.js";
import {
  recordFields,
  timestamp
} from "./chunk-PA6CYUBJ.js";

// src/activities/activity-record.ts
import * as z from "zod";
var activityRecord = z.object({
  ...recordFields,
  organization: z.string(),
  element: z.string(),
  timestamp,
  completed_by: z.string().nullable(),
  member: z.string().nullable(),
  members: z.array(z.string()).nullable(),
  ...withoutDefaults(activityFields)
});

export {
  activityRecord
};
