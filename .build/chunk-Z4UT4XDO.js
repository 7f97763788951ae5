import {
  recordFields,
  timestamp
} from "./chunk-PA6CYUBJ.js";

// src/apps/installation-record.ts
import * as z from "zod";
var installationStates = ["installed", "uninstalling", "uninstalled", "upgraded"];
var installationRecord = z.object({
  ...recordFields,
  app: z.string(),
  organization: z.string(),
  version: z.string(),
  installer: z.string().nullable(),
  state: z.enum(installationStates),
  scope: z.string(),
  installed_at: timestamp,
  ended_at: timestamp.nullable()
});

export {
  installationStates,
  installationRecord
};
