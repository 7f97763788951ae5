import {
  streamRoutes
} from "./chunk-RCGSGGZX.js";
import "./chunk-KIUJWS5H.js";
import "./chunk-5H4UC7ZU.js";
import "./chunk-6ONNPK7B.js";
import {
  openApi
} from "./chunk-LKGQ46AK.js";
import {
  version
} from "./chunk-67UOJKEN.js";
import {
  schemas
} from "./chunk-53NL6X53.js";
import "./chunk-ZTFQIRJI.js";
import "./chunk-QF2FVXPZ.js";
import {
  callNames,
  entryOf
} from "./chunk-YPZAJWLO.js";
import "./chunk-UOQ57ESE.js";
import "./chunk-H6YDQLWR.js";
import "./chunk-7PX5YLRV.js";
import "./chunk-G374MYAP.js";
import "./chunk-KALKX2PA.js";
import "./chunk-TOMHTIL4.js";
import "./chunk-ST73ZHQR.js";
import "./chunk-ZZ6WPZCE.js";
import "./chunk-NZRV57D6.js";
import "./chunk-D6FFRSSK.js";
import "./chunk-RQ77OIZO.js";
import "./chunk-7DLAHFNB.js";
import "./chunk-ALWSJWTG.js";
import "./chunk-CHJV2OFA.js";
import "./chunk-BKWT3EPO.js";
import "./chunk-5SAHQNTQ.js";
import "./chunk-L7Q3M54I.js";
import "./chunk-WFFIJ2TV.js";
import "./chunk-V3RODA4B.js";
import "./chunk-DASGZFY7.js";
import "./chunk-KMQ55J3A.js";
import {
  refusals
} from "./chunk-MW7MI5LZ.js";
import "./chunk-OEGBZOM3.js";
import "./chunk-6VLNLZIY.js";
import "./chunk-JD7TKZ54.js";
import "./chunk-OLY32F6C.js";
import "./chunk-7L5WAEY2.js";
import "./chunk-Z4UT4XDO.js";
import "./chunk-PA6CYUBJ.js";
import "./chunk-ELCYYWVK.js";

// src/admin/admin-document.ts
import * as z from "zod";
var problemSchema = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  errors: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional()
});
var responseNames = {
  invalid: "Invalid",
  unauthorized: "Unauthorized",
  forbidden: "Forbidden",
  not_found: "NotFound",
  conflict: "Conflict",
  too_large: "TooLarge",
  unsupported_media_type: "UnsupportedMediaType",
  store_unwritable: "StoreUnwritable"
};
var responseOf = (name) => ({
  description: refusals[name].message,
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } }
});
function refusalsOf({ methods, path, operation: { open, query, body } }) {
  if (open) return {};
  const writes = methods.some((method) => method !== "GET");
  const names = [
    (query !== void 0 || body !== void 0 || path.includes(":")) && "invalid",
    "unauthorized",
    "forbidden",
    path.includes(":") && "not_found",
    writes && "conflict",
    body && "too_large",
    body && "unsupported_media_type",
    writes && "store_unwritable"
  ];
  return Object.fromEntries(
    names.filter((name) => typeof name === "string").map((name) => [refusals[name].status, responseNames[name]])
  );
}
var answerOf = (name) => entryOf(name).list ? z.object({ data: z.array(schemas[name].answer) }) : schemas[name].answer;
var described = [...callNames.map(describedCall), ...streamRoutes];
function describedCall(name) {
  const { method, path, summary, source, status, open } = entryOf(name);
  const { query, body } = schemas[name];
  return {
    methods: [method],
    path,
    operation: {
      id: name,
      summary,
      source,
      answer: answerOf(name),
      ...query && { query },
      ...body && { body },
      ...status && { status },
      ...open && { open }
    }
  };
}
var adminDocument = (world) => openApi(described, {
  title: "Mockademy control API",
  version,
  description: "What a test does to the emulated platform, as opposed to through it.",
  server: world.addresses.base_url,
  tags: {
    world: "The world as a whole: state, fixtures, reset, snapshots",
    clock: "Time",
    organizations: "Organizations, their API keys and members",
    users: "Users",
    apps: "Apps and their manifests",
    installations: "Install, upgrade, uninstall",
    tokens: "Access and refresh tokens",
    sessions: "Signed-in browsers",
    "silent-auth": "Forced outcomes of silent sign-in",
    keys: "Signing keys",
    faults: "Injected faults",
    deliveries: "Webhook deliveries",
    events: "Events of any type",
    inboxes: "Built-in webhook receivers",
    requests: "The journal of requests",
    stream: "What happens, live",
    findings: "What the app under test did that it should not",
    "openapi.json": "This document"
  },
  tagOf: (path) => {
    const [, , segment = "world"] = path.split("/");
    return ["state", "fixtures", "reset", "snapshots"].includes(segment) ? "world" : segment;
  },
  securitySchemes: {
    AdminToken: { type: "http", scheme: "bearer", description: "The setting admin_token, where it is set" }
  },
  securityOf: ({ open }) => open ? [] : [{}, { AdminToken: [] }],
  success: (answer) => answer,
  responses: Object.fromEntries(
    Object.entries(responseNames).map(([name, component]) => [component, responseOf(name)])
  ),
  refusalsOf,
  schemas: { Problem: problemSchema }
});
export {
  adminDocument
};
