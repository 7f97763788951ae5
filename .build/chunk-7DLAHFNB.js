import {
  recordFields,
  timestamp
} from "./chunk-PA6CYUBJ.js";

// src/authentication/token-record.ts
import * as z from "zod";
var tokenRecord = z.object({
  ...recordFields,
  secret: z.string(),
  kind: z.enum(["access", "refresh"]),
  grant: z.enum(["install", "authorize"]),
  app: z.string(),
  organization: z.string(),
  installation: z.string(),
  user: z.string().nullable(),
  scope: z.string(),
  code: z.string().nullable(),
  expires_at: timestamp,
  ended: z.enum(["revoked", "rotated"]).nullable(),
  ended_at: timestamp.nullable(),
  /** What ended it, in words for the journal: `uninstalled`, `upgraded`, `code used twice`, … */
  ended_by: z.string().nullable()
});

export {
  tokenRecord
};
