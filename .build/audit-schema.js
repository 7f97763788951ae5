import {
  auditFile
} from "./chunk-C7HRUYVA.js";
import "./chunk-ZVMA5LMS.js";
import "./chunk-HTXLYCUF.js";
import "./chunk-PNJ445SQ.js";
import "./chunk-BBYTGKKY.js";

// src/cli/audit-schema.ts
import * as z from "zod";
process.stdout.write(`${JSON.stringify(z.toJSONSchema(auditFile, { io: "input" }), null, 2)}
`);
