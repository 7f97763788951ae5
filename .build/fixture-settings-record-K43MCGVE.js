import {
  freeForm,
  recordFields
} from "./chunk-PA6CYUBJ.js";
import "./chunk-ELCYYWVK.js";

// src/world/fixture-settings-record.ts
import * as z from "zod";
var fixtureSettingsRecord = z.object({ ...recordFields, values: freeForm });
export {
  fixtureSettingsRecord
};
