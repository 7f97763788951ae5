import {
  freeForm,
  recordFields,
  timestamp
} from "./chunk-PA6CYUBJ.js";

// src/oauth/key-record.ts
import * as z from "zod";
var keyRecord = z.object({
  ...recordFields,
  private_jwk: freeForm,
  public_jwk: freeForm,
  retired: z.boolean(),
  /** Until then it is published and does not sign; absent: it signs at once. */
  signs_from: timestamp.optional()
});

export {
  keyRecord
};
