import {
  freeForm,
  recordFields,
  timestamp
} from "./chunk-PA6CYUBJ.js";
import "./chunk-ELCYYWVK.js";

// src/members/course-member-record.ts
import * as z from "zod";
var courseMemberRecord = z.object({
  ...recordFields,
  organization: z.string(),
  course: z.string(),
  user: z.string(),
  joined_at: timestamp,
  custom_fields: freeForm
});
export {
  courseMemberRecord
};
