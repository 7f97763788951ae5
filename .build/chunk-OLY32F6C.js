import {
  LONGEST_REAL,
  durationPattern,
  parseDuration,
  units
} from "./chunk-7L5WAEY2.js";

// src/schema/duration-schema.ts
import * as z from "zod";
var MESSAGE = 'must be a duration: milliseconds, or text such as "90s", "1h" or "30d"';
var LONGEST = 36525 * units.d;
var durationInput = z.union([z.number().nonnegative(), z.string().regex(durationPattern, MESSAGE)], MESSAGE);
var duration = durationInput.transform((given) => typeof given === "number" ? Math.round(given) : parseDuration(given)).refine((ms) => ms <= LONGEST, "must be at most a hundred years");
var realDuration = duration.refine(
  (ms) => ms <= LONGEST_REAL,
  "is real time: must be at most 24 days"
);

export {
  durationInput,
  duration,
  realDuration
};
