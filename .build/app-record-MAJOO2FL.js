import {
  freeForm,
  recordFields,
  timestamp
} from "./chunk-PA6CYUBJ.js";
import "./chunk-ELCYYWVK.js";

// src/apps/app-record.ts
import * as z from "zod";
var appVersion = z.object({ version: z.string(), manifest: freeForm, pushed_at: timestamp });
var appRecord = z.object({
  ...recordFields,
  client_id: z.string(),
  client_secret: z.string(),
  signing_secret: z.string(),
  versions: z.array(appVersion).min(1)
});
export {
  appRecord
};
