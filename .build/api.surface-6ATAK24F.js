import {
  authenticate,
  bearerChallenge,
  identifyBearer,
  insufficientScopeChallenge,
  invalidTokenChallenge,
  refuse
} from "./chunk-PNUWCCRO.js";
import {
  underFaults
} from "./chunk-5YRG7JTR.js";
import {
  countRequest,
  rateLimitHeaders
} from "./chunk-SFZUXUQR.js";
import "./chunk-WWOQV4L2.js";
import "./chunk-H2GNJO72.js";
import "./chunk-SQXZWWAL.js";
import "./chunk-BZLA7KRH.js";
import "./chunk-KMQ55J3A.js";
import {
  Refusal
} from "./chunk-MW7MI5LZ.js";
import "./chunk-OEGBZOM3.js";
import "./chunk-7L5WAEY2.js";
import "./chunk-ELCYYWVK.js";

// src/api/injected-refusals.ts
var ASSUMED_LIMIT = 60;
var named = {
  rate_limited: ({ world }) => new Refusal("rate_limited", {
    headers: { "retry-after": "60", ...rateLimitHeaders(world.settings.rate_limit ?? ASSUMED_LIMIT, 0) }
  }),
  token_expired: () => new Refusal("unauthorized", { headers: invalidTokenChallenge("expired") }),
  token_revoked: () => new Refusal("unauthorized", { headers: invalidTokenChallenge("revoked") }),
  insufficient_scope: ({ route }) => new Refusal("insufficient_scope", { headers: insufficientScopeChallenge(route?.operation.scope) }),
  unavailable: () => new Refusal("unavailable")
};
var byStatus = {
  401: ({ request }) => new Refusal("unauthorized", {
    headers: request.headers.authorization ? invalidTokenChallenge("unknown") : bearerChallenge()
  }),
  403: named.insufficient_scope,
  429: named.rate_limited
};
var apiRefusalFor = (name, scene) => (typeof name === "number" ? byStatus[name] : named[name])?.(scene);

// src/api/api.surface.ts
var TEN_MEGABYTES = 10 * 1024 * 1024;
var apiSurface = (routes) => ({
  name: "api",
  routes,
  bodyLimit: () => TEN_MEGABYTES,
  admit: countRequest,
  authorize(world, request, { operation: { open, scope = null } }) {
    if (!open) authenticate(world, request, scope);
  },
  refuse,
  identify: identifyBearer,
  intercept: underFaults,
  refusalFor: apiRefusalFor
});
export {
  apiSurface
};
