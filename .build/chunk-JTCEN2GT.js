import {
  realDuration
} from "./chunk-OLY32F6C.js";

// src/audit/file.ts
import { parse, printParseErrorCode } from "jsonc-parser";
import * as z from "zod";
var url = z.string().refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), "must be an http or https URL");
var ofOrganization = url.refine((text) => text.includes("{organization}"), "must hold {organization}");
var status = z.int().min(100).max(599);
var pointer = z.string().regex(/^(\/.*)?$/, 'must be a JSON pointer such as "/sub"');
var answer = z.strictObject({ status: z.union([status, z.array(status).min(1)]) });
var headers = z.record(z.string(), z.string());
var auditFile = z.strictObject({
  $schema: z.string().optional(),
  app: z.string().min(1).describe("Manifest id or client id; webhook, callback and scopes come from the manifest"),
  start: url.optional().describe("GET begins the sign-in"),
  whoami: z.strictObject({
    url,
    signed_in: z.strictObject({
      ...answer.shape,
      user: pointer.describe('JSON pointer to what tells accounts apart, such as "/sub"')
    }),
    signed_out: answer
  }).optional().describe("Whose session the cookie is"),
  probe: z.strictObject({
    url: ofOrganization,
    ok: answer.default({ status: 200 }),
    not_installed: answer.optional(),
    headers: headers.optional()
  }).optional().describe("GET makes the app call /v0 for that organization"),
  list: z.strictObject({
    url: ofOrganization,
    count: pointer.describe('JSON pointer to a number or an array; "/length" after an array is its length'),
    headers: headers.optional()
  }).optional().describe("GET answers with every element of that organization"),
  restart: z.string().min(1).optional().describe("Shell command that restarts the app"),
  logs: z.array(z.string().min(1)).min(1).optional().describe("Files that the app logs to"),
  background: realDuration.default(2e3).describe("How long work may go on after an acknowledgement"),
  accept: z.record(z.string(), z.string().min(1)).default({}).describe("Known failures by check, each with its reason")
});

export {
  auditFile
};
