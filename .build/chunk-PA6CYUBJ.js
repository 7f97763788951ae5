import {
  isObject
} from "./chunk-ELCYYWVK.js";

// src/schema/record-fields.ts
import * as z from "zod";
var timestamp = z.iso.datetime();
var recordFields = {
  id: z.string(),
  /** Orders records that were created in the same millisecond; unique in a world. */
  sequence: z.int(),
  created_at: timestamp
};
var freeForm = z.unknown().refine(isObject, "must be an object").meta({
  type: "object",
  propertyNames: { type: "string" },
  additionalProperties: {}
});

export {
  timestamp,
  recordFields,
  freeForm
};
