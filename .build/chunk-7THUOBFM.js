import {
  Refusal
} from "./chunk-MW7MI5LZ.js";

// src/oauth/oauth-error.ts
var errors = {
  invalid_request: "invalid",
  invalid_client: "unauthorized",
  invalid_grant: "invalid",
  invalid_scope: "invalid",
  unsupported_grant_type: "invalid"
};
var OAuthRefusal = class extends Refusal {
  /**
   * @param description for the client's developer: may not hold a secret.
   * @param reason for the journal, in more words.
   */
  constructor(error, description, reason) {
    const headers = error === "invalid_client" ? { "www-authenticate": 'Basic realm="oauth"' } : {};
    super(errors[error], { message: description, headers, ...reason !== void 0 && { reason } });
    this.error = error;
  }
  error;
};
var clientRefusal = (reason) => new OAuthRefusal("invalid_client", "Client authentication failed", reason);
var errorOfStatus = (status) => {
  if (status === 401) return "invalid_client";
  if (status === 429 || status === 503) return "temporarily_unavailable";
  return status >= 500 ? "server_error" : "invalid_request";
};
var refuse = (refusal) => ({
  status: refusal.status,
  headers: noStore,
  body: {
    error: refusal instanceof OAuthRefusal ? refusal.error : errorOfStatus(refusal.status),
    error_description: describable(refusal.message)
  }
});
var noStore = { "cache-control": "no-store", pragma: "no-cache" };
var describable = (text) => text.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, "?");

export {
  OAuthRefusal,
  clientRefusal,
  refuse,
  noStore,
  describable
};
