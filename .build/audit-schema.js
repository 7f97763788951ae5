import {
  auditFile
} from "./chunk-JTCEN2GT.js";
import "./chunk-OEGBZOM3.js";
import "./chunk-OLY32F6C.js";
import "./chunk-7L5WAEY2.js";

// src/cli/audit-schema.ts
import * as z from "zod";
process.stdout.write(`${JSON.stringify(z.toJSONSchema(auditFile, { io: "input" }), null, 2)}
`);
