import {
  recordFields
} from "./chunk-PA6CYUBJ.js";

// src/oauth/silent-auth-record.ts
import * as z from "zod";
var silentAuthRecord = z.object({
  ...recordFields,
  outcome: z.string(),
  app: z.string().nullable(),
  organization: z.string().nullable(),
  user: z.string().nullable(),
  left: z.int().nullable()
});

export {
  silentAuthRecord
};
