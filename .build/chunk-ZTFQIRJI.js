import {
  realDuration
} from "./chunk-OLY32F6C.js";

// src/admin/schema-parts.ts
import * as z from "zod";
var strict = z.strictObject;
var name = z.string().min(1);
var queryDuration = z.string().transform((text) => /^\d+$/.test(text) ? Number(text) : text).pipe(realDuration);
var message = z.object({ headers: z.record(z.string(), z.string()), body: z.unknown() }).meta({ id: "Message" });
var affected = z.object({ affected: z.int() }).meta({ id: "Affected" });

export {
  strict,
  name,
  queryDuration,
  message,
  affected
};
