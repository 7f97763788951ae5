import {
  describeIssue,
  pathIssuesOf
} from "./chunk-OEGBZOM3.js";
import {
  duration,
  realDuration
} from "./chunk-OLY32F6C.js";
import {
  freeForm
} from "./chunk-PA6CYUBJ.js";

// src/faults/effects.ts
import * as z2 from "zod";

// src/schema/header-names.ts
import * as z from "zod";
var FRAMING = ["content-length", "transfer-encoding"];
var headerValue = z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, "must be a header value");
var headersSchema = z.record(
  z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "must be a header name").refine((name) => !FRAMING.includes(name.toLowerCase()), "is set by the length of the body"),
  headerValue
);

// src/faults/effects.ts
var refusalNames = [
  "rate_limited",
  "token_expired",
  "token_revoked",
  "insufficient_scope",
  "unavailable"
];
var webhookEffectNames = [
  "drop",
  "duplicate",
  "reorder",
  "lose_ack",
  "bad_signature",
  "short_signature",
  "no_signature",
  "stale_signature",
  "altered_body",
  "reserialised",
  "replay",
  "truncate"
];
var idTokenEffectNames = [
  "bad_signature",
  "unknown_kid",
  "wrong_iss",
  "wrong_aud",
  "expired",
  "not_yet_valid",
  "missing_sub",
  "alg_none",
  "hs256",
  "no_kid",
  "wrong_nonce"
];
var bodyPath = z2.string().regex(/^[^.]+(\.[^.]+)*$/, "must be a dotted path such as payload.name");
var isEmpty = (effect) => Object.keys(effect).length === 0;
var httpEffect = z2.strictObject({
  status: z2.int().min(200).max(599).optional(),
  headers: headersSchema.optional(),
  /** `malformed_json` and `html` stand for such bodies; anything else is sent as it is. */
  body: z2.unknown().optional(),
  delay: realDuration.optional(),
  jitter: realDuration.optional(),
  connection: z2.enum(["reset", "hang", "truncate", "empty"]).optional(),
  hold: z2.int().min(1).max(1e3).optional(),
  merge: freeForm.optional().describe("Merged over the real response's body, object by object"),
  omit: z2.array(bodyPath).min(1).optional().describe("Left out of the real response's body: dotted paths, `*` for every item")
}).refine((effect) => !isEmpty(effect), "must say what happens: status, body, delay, connection, hold, merge or omit").refine(({ delay, jitter }) => jitter === void 0 || delay !== void 0, "jitter goes with delay").refine(
  ({ merge, omit, status, body }) => merge === void 0 && omit === void 0 || status === void 0 && body === void 0,
  "merge and omit change the real response, so they do not go with status or body"
);
var webhookEffect = z2.strictObject({
  delay: duration.optional().describe("Sent this much later, on the emulator's clock"),
  body: z2.string().optional().describe("Sent instead of the event, and signed as it is"),
  signature: headerValue.optional().describe("Sent instead of the real signature")
}).refine((effect) => !isEmpty(effect), "must say what happens: delay, body or signature").refine(
  ({ delay, body, signature }) => delay === void 0 || body === void 0 && signature === void 0,
  "delay goes alone"
);
var idTokenEffect = z2.strictObject({
  claims: freeForm.optional().describe("Merged over the real claims"),
  omit: z2.array(z2.string().min(1)).min(1).optional().describe("Names of claims that are left out")
}).refine((effect) => !isEmpty(effect), "must say what happens: claims or omit");
var effectsOf = {
  api: { names: refusalNames, parts: httpEffect },
  oauth: { names: refusalNames, parts: httpEffect },
  webhook: { names: webhookEffectNames, parts: webhookEffect },
  id_token: { names: idTokenEffectNames, parts: idTokenEffect }
};
var faultMatch = z2.strictObject({
  surface: z2.enum(Object.keys(effectsOf)).optional(),
  method: z2.string().transform((method) => method.toUpperCase()).optional(),
  path: z2.string().optional(),
  app: z2.string().optional(),
  organization: z2.string().optional(),
  event: z2.string().optional(),
  grant_type: z2.string().optional()
});
var pathsOf = {
  api: ["/v0"],
  oauth: ["/oauth/", "/.well-known/"],
  webhook: ["/"],
  id_token: ["/oauth/token"]
};
var methodsOf = {
  api: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
  oauth: ["GET", "HEAD", "POST"],
  webhook: ["POST"],
  id_token: ["POST"]
};
function issuesOfMatch({ surface, method, path, event, grant_type }) {
  const surfaces = surface ? [surface] : ["api", "oauth"];
  const issues = [];
  if (event !== void 0 && surface !== "webhook") {
    issues.push({ path: "event", message: "goes with the surface webhook: no other request has an event" });
  }
  if (grant_type !== void 0 && !surfaces.some((each) => each === "oauth" || each === "id_token")) {
    issues.push({ path: "grant_type", message: "goes with the surfaces oauth and id_token" });
  }
  if (path !== void 0 && !surfaces.some((each) => pathsOf[each].some((start) => canBegin(path, start)))) {
    const starts = surfaces.flatMap((each) => pathsOf[each]).join(" or ");
    issues.push({ path: "path", message: `meets no request of ${surfaces.join(" or ")}: those begin with ${starts}` });
  }
  if (method !== void 0 && !surfaces.some((each) => methodsOf[each].includes(method))) {
    const methods = [...new Set(surfaces.flatMap((each) => methodsOf[each]))].join(", ");
    issues.push({ path: "method", message: `meets no request of ${surfaces.join(" or ")}: those are ${methods}` });
  }
  return issues;
}
function canBegin(pattern, start) {
  const star = pattern.indexOf("*");
  const fixed = star < 0 ? pattern : pattern.slice(0, star);
  return fixed.startsWith(start) || star >= 0 && start.startsWith(fixed);
}
var faultRequest = z2.strictObject({
  match: faultMatch.default({}),
  effect: z2.unknown(),
  phase: z2.enum(["before", "after"]).default("before"),
  times: z2.int().min(1).optional(),
  after: z2.int().min(0).default(0),
  probability: z2.number().min(0).max(1).default(1),
  expires_in: duration.optional()
}).transform((fault, context) => {
  const { surface = "api" } = fault.match;
  const { names, parts } = effectsOf[surface];
  const known = names;
  const add = (path, message) => context.issues.push({ code: "custom", input: fault.effect, path, message });
  for (const { path, message } of issuesOfMatch(fault.match)) add(["match", path], message);
  if (typeof fault.effect === "string" && !known.includes(fault.effect)) {
    const others = Object.keys(effectsOf).filter((other) => isEffectOf(other, fault.effect));
    if (others.length > 0) {
      add(
        ["effect"],
        `"${fault.effect}" is an effect of the surface ${others.join(" or ")}: name it in match.surface`
      );
      return z2.NEVER;
    }
  }
  const isParts = typeof fault.effect === "object" && fault.effect !== null && !Array.isArray(fault.effect);
  const fields = Object.keys(parts.shape).join(", ");
  const name = z2.enum(names, `must be one of ${names.join(", ")}, or an object of ${fields}`);
  const result = (isParts ? parts : name).safeParse(fault.effect, { error: describeIssue });
  for (const { path, message } of result.error ? pathIssuesOf(result.error) : []) add(["effect", ...path], message);
  return { ...fault, effect: result.data };
});
var isEffectOf = (surface, effect) => effectsOf[surface].names.includes(effect);

export {
  headersSchema,
  effectsOf,
  faultMatch,
  faultRequest
};
