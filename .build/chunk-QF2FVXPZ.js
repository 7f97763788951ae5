import {
  userFields
} from "./chunk-TOMHTIL4.js";
import {
  withoutDefaults
} from "./chunk-RQ77OIZO.js";
import {
  recordFields,
  timestamp
} from "./chunk-PA6CYUBJ.js";

// src/organizations/user-record.ts
import * as z from "zod";
var userRecord = z.object({
  ...recordFields,
  ...withoutDefaults(userFields),
  full_name: z.string(),
  last_seen: timestamp.nullable()
});

export {
  userRecord
};
