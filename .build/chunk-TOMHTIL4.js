import {
  documentId,
  generated,
  moment
} from "./chunk-RQ77OIZO.js";
import {
  roles
} from "./chunk-DASGZFY7.js";

// src/organizations/user-fields.ts
import * as z from "zod";
var userFields = {
  /** Its form is judged with the references, so that a bad one hides no other issue. */
  email: z.string().meta({ format: "email" }),
  first_name: z.string().default(""),
  last_name: z.string().default(""),
  email_verified: z.boolean().default(false),
  avatar: z.string().nullable().default(null)
};
var userDocument = z.strictObject({
  id: documentId.optional(),
  ...userFields,
  /** First and last name when left out. */
  full_name: z.string().optional(),
  last_seen: moment.nullable().default(null),
  organizations: z.array(z.strictObject({ slug: z.string(), role: z.enum(roles).default("learner") })).optional(),
  ...generated
});

export {
  userFields,
  userDocument
};
