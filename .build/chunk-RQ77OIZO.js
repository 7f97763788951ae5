// src/schema/document-fields.ts
import * as z from "zod";
var moment = z.iso.datetime({ offset: true, error: "must be an ISO 8601 date-time with Z or an offset" }).transform((text) => new Date(text).toISOString()).pipe(z.iso.datetime());
var documentId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, hyphens or underscores");
var generated = { created_at: moment.optional(), sequence: z.int().optional() };
var withoutDefaults = (shape) => Object.fromEntries(
  Object.entries(shape).map(([name, schema]) => [name, schema instanceof z.ZodDefault ? schema.unwrap() : schema])
);

export {
  moment,
  documentId,
  generated,
  withoutDefaults
};
