import {
  OAuthRefusal,
  clientRefusal
} from "./chunk-7THUOBFM.js";
import {
  Refusal
} from "./chunk-MW7MI5LZ.js";

// src/oauth/injected-refusals.ts
var named = {
  rate_limited: () => new Refusal("rate_limited", { headers: { "retry-after": "60" } }),
  token_expired: (ofCode) => new OAuthRefusal("invalid_grant", `The ${ofCode ? "authorization code" : "refresh token"} has expired`),
  token_revoked: (ofCode) => new OAuthRefusal("invalid_grant", ofCode ? "The authorization code is not valid" : "The refresh token was revoked"),
  insufficient_scope: () => new OAuthRefusal("invalid_scope", "The requested scope was not granted"),
  unavailable: () => new Refusal("unavailable")
};
function oauthRefusalFor(name, { request }) {
  const grant_type = new URLSearchParams(request.body.toString()).get("grant_type");
  if (typeof name === "string") return named[name](grant_type === "authorization_code");
  if (name === 401 && request.path === "/oauth/token") return clientRefusal();
  return name === 429 ? named.rate_limited(false) : void 0;
}

export {
  oauthRefusalFor
};
