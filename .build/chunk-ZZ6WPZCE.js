import {
  documentId,
  generated,
  moment
} from "./chunk-RQ77OIZO.js";

// src/activities/activity-fields.ts
import * as z from "zod";
var response = z.strictObject({ question: z.string().nullable(), value: z.unknown() });
var activityFields = {
  status: z.enum(["started", "submitted", "completed", "graded"]).default("completed"),
  passed: z.boolean().nullable().default(null),
  score: z.number().nullable().default(null),
  responses: z.array(response).default([])
};
var activityDocument = z.strictObject({
  id: documentId.optional(),
  member: z.string().optional(),
  members: z.array(z.string()).min(1).optional(),
  timestamp: moment.optional(),
  completed_by: z.string().nullable().optional(),
  ...activityFields,
  ...generated
}).refine(({ member, members }) => member === void 0 !== (members === void 0), {
  path: ["member"],
  error: "exactly one of member and members must be given"
});

export {
  activityFields,
  activityDocument
};
