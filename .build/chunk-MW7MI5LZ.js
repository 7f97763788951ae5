import {
  MOST_ISSUES
} from "./chunk-OEGBZOM3.js";

// src/http/refusal.ts
var refusals = {
  invalid: { status: 400, message: "Validation failed" },
  malformed: { status: 400, message: "The body is not valid JSON" },
  unauthorized: { status: 401, message: "Unauthorized" },
  insufficient_scope: { status: 403, message: "Insufficient scope" },
  forbidden: { status: 403, message: "Forbidden" },
  not_found: { status: 404, message: "Resource not found" },
  method_not_allowed: { status: 405, message: "Method not allowed" },
  conflict: { status: 409, message: "Conflict" },
  too_large: { status: 413, message: "The body is too large" },
  unsupported_media_type: { status: 415, message: "The body must be JSON (Content-Type: application/json)" },
  rate_limited: { status: 429, message: "Rate limit exceeded. Please try again later." },
  internal: { status: 500, message: "Internal server error" },
  unavailable: { status: 503, message: "Service unavailable" },
  store_unwritable: { status: 507, message: "The store cannot be written" }
};
var Refusal = class extends Error {
  constructor(refusal, { status, message, details, headers = {}, reason } = {}) {
    super(message ?? refusals[refusal].message);
    this.refusal = refusal;
    this.name = "Refusal";
    this.status = status ?? refusals[refusal].status;
    this.details = details && listable(details);
    this.headers = headers;
    this.reason = reason;
  }
  refusal;
  status;
  details;
  headers;
  reason;
};
function listable(details) {
  if (details.length <= MOST_ISSUES) return details;
  const more = details.length - MOST_ISSUES;
  return [...details.slice(0, MOST_ISSUES), { path: "", message: `and ${more} more` }];
}
var invalid = (details, message) => new Refusal("invalid", { details, message });

export {
  refusals,
  Refusal,
  invalid
};
