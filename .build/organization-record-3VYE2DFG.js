import {
  recordFields
} from "./chunk-PA6CYUBJ.js";
import "./chunk-ELCYYWVK.js";

// src/organizations/organization-record.ts
import * as z from "zod";
var organizationRecord = z.object({ ...recordFields, name: z.string(), api_key: z.string().nullable() });
export {
  organizationRecord
};
