import {
  recordFields
} from "./chunk-PA6CYUBJ.js";

// src/web-app/session-record.ts
import * as z from "zod";
var sessionRecord = z.object({
  ...recordFields,
  secret: z.string(),
  csrf: z.string(),
  user: z.string(),
  ambient: z.boolean()
});

export {
  sessionRecord
};
