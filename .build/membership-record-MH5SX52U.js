import {
  roles
} from "./chunk-DASGZFY7.js";
import {
  recordFields
} from "./chunk-PA6CYUBJ.js";
import "./chunk-ELCYYWVK.js";

// src/organizations/membership-record.ts
import * as z from "zod";
var membershipRecord = z.object({
  ...recordFields,
  organization: z.string(),
  user: z.string(),
  role: z.enum(roles)
});
export {
  membershipRecord
};
