import {
  freeForm
} from "./chunk-PA6CYUBJ.js";

// src/modules/module-fields.ts
import * as z from "zod";
var moduleFields = {
  name: z.string().min(1),
  metadata: freeForm.default({})
};

export {
  moduleFields
};
