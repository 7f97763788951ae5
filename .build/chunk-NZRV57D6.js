import {
  freeForm
} from "./chunk-PA6CYUBJ.js";

// src/courses/course-fields.ts
import * as z from "zod";
var text = z.string().nullable().default(null);
var courseFields = {
  name: z.string().min(1),
  status: z.enum(["draft", "published", "archived"]).default("published"),
  cover: text,
  availability: z.enum(["public", "private"]).default("public"),
  visibility: z.enum(["listed", "unlisted"]).default("listed"),
  start_date: text,
  end_date: text,
  currency: text,
  price: z.number().nullable().default(null),
  free_label: text,
  url: text,
  public_url: text,
  join_url: text,
  metadata: freeForm.default({}),
  custom_fields: freeForm.default({})
};

export {
  courseFields
};
