import {
  challengeMethods,
  isCurrent,
  redeemCode
} from "./chunk-3V66C4ZU.js";
import {
  authenticateClient
} from "./chunk-UYTIRXPW.js";
import {
  OAuthRefusal,
  noStore
} from "./chunk-7THUOBFM.js";
import "./chunk-TIIU4ZRY.js";
import {
  grouped
} from "./chunk-5H4UC7ZU.js";
import {
  route
} from "./chunk-6ONNPK7B.js";
import {
  injected
} from "./chunk-5YRG7JTR.js";
import "./chunk-OEKPATS5.js";
import {
  fireFault
} from "./chunk-H2GNJO72.js";
import {
  endTokens,
  mintPair,
  presentPair,
  tokenState
} from "./chunk-SQXZWWAL.js";
import "./chunk-BZLA7KRH.js";
import {
  scopesOf
} from "./chunk-KMQ55J3A.js";
import {
  Refusal
} from "./chunk-MW7MI5LZ.js";
import "./chunk-OEGBZOM3.js";
import "./chunk-7L5WAEY2.js";
import "./chunk-ELCYYWVK.js";

// src/oauth/claims.ts
var always = ["sub", "iss", "aud", "iat", "exp", "nonce"];
var claimsOfScope = {
  profile: { name: ({ full_name }) => full_name },
  email: { email: ({ email }) => email, email_verified: ({ email_verified }) => email_verified }
};
var supportedClaims = [...always, ...Object.values(claimsOfScope).flatMap((claims) => Object.keys(claims))];
var userClaims = (user, scopes) => Object.fromEntries(
  Object.entries(claimsOfScope).filter(([scope]) => scopes.includes(scope)).flatMap(([, claims]) => Object.entries(claims).map(([name, read]) => [name, read(user)]))
);

// src/oauth/token-grants.ts
var tokenGrants = {
  /** spec: §4.8 "Code exchange" */
  authorization_code: (world, app, form) => redeemCode(world, app.id, {
    secret: form.need("code"),
    redirect_uri: form.need("redirect_uri"),
    code_verifier: form.get("code_verifier")
  }),
  /** spec: §3, §4.8 "Refresh" */
  refresh_token: (world, app, form) => ({ pair: refresh(world, app, form) })
};
function grantTokens(world, app, form) {
  const grant_type = form.need("grant_type");
  const grant = Object.hasOwn(tokenGrants, grant_type) ? tokenGrants[grant_type] : void 0;
  if (!grant) {
    throw new OAuthRefusal(
      "unsupported_grant_type",
      `The grant_type must be one of: ${Object.keys(tokenGrants).join(", ")}`,
      `grant_type is ${grant_type}`
    );
  }
  return grant(world, app, form);
}
function refresh(world, app, form) {
  const token = usableRefreshToken(world, app, form.need("refresh_token"));
  const asked = form.get("scope")?.split(" ").filter(Boolean) ?? [];
  const more = asked.filter((scope) => !token.scope.split(" ").includes(scope));
  if (more.length > 0) {
    throw new OAuthRefusal("invalid_scope", `The refresh token was not granted: ${more.join(" ")}`);
  }
  return world.store.change((tx) => {
    endTokens(world, tx, [token], "rotated", "refreshed");
    const { grant, scope, user, code } = token;
    const installation = { id: token.installation, app: token.app, organization: token.organization };
    return mintPair(world, tx, { installation, grant, scope, user, code });
  });
}
function usableRefreshToken(world, app, secret) {
  const token = world.store.tokens.by("secret", secret);
  if (!token) throw refused("is not valid", "The refresh token was never issued here, or is no longer kept");
  if (token.kind !== "refresh") throw refused("is not valid", "An access token was sent as refresh_token");
  if (token.app !== app.id) {
    throw refused("is not valid", `The refresh token was issued to the app ${token.app}, not to ${app.id}`);
  }
  switch (tokenState(token, world.clock.now())) {
    case "rotated":
      throw refused("has been used already", `The refresh token was used at ${token.ended_at}`);
    case "revoked":
      throw refused("was revoked", `The refresh token was revoked at ${token.ended_at}: ${token.ended_by}`);
    case "expired":
      throw refused("has expired", `The refresh token expired at ${token.expires_at}`);
  }
  const installation = world.store.installations.get(token.installation);
  if (isCurrent(installation)) return token;
  throw refused("was revoked", `The installation it was granted through is ${installation?.state ?? "gone"}`);
}
var refused = (what, reason) => new OAuthRefusal("invalid_grant", `The refresh token ${what}`, reason);

// src/oauth/discovery.ts
var JWKS_PATH = "/.well-known/jwks.json";
function discoveryDocument({ addresses }) {
  const { app_url, browser_url } = addresses;
  return {
    issuer: app_url,
    authorization_endpoint: `${browser_url}/oauth/authorize`,
    token_endpoint: `${app_url}/oauth/token`,
    jwks_uri: `${app_url}${JWKS_PATH}`,
    scopes_supported: scopesOf("authorize"),
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: Object.keys(tokenGrants),
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    claims_supported: supportedClaims,
    code_challenge_methods_supported: Object.keys(challengeMethods),
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false
  };
}
var jwks = (keys) => ({
  keys: keys.map(({ id, public_jwk: { kty, n, e } }) => ({ kty, n, e, kid: id, use: "sig", alg: "RS256" }))
});

// src/oauth/id-token-faults.ts
import { createHmac } from "node:crypto";

// src/oauth/sign-id-token.ts
async function signIdToken({ header, claims }, key) {
  const { CompactSign, importJWK } = await import("jose");
  const privateKey = await importJWK(key.private_jwk, "RS256");
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims))).setProtectedHeader(header).sign(privateKey);
}

// src/oauth/id-token-faults.ts
var HOUR = 3600;
var withClaims = (claims) => ({ draft, key, seconds }) => signIdToken({ ...draft, claims: { ...draft.claims, ...claims(draft, seconds) } }, key);
var tampers = {
  bad_signature: async ({ draft, key }) => withFlippedSignature(await signIdToken(draft, key)),
  unknown_kid: ({ draft, key }) => signIdToken({ ...draft, header: { ...draft.header, kid: `not-${key.id}` } }, key),
  wrong_iss: withClaims(() => ({ iss: "https://issuer.invalid" })),
  wrong_aud: withClaims(({ claims }) => ({ aud: `not_${claims.aud}` })),
  expired: withClaims((_, seconds) => ({ iat: seconds - 2 * HOUR, exp: seconds - HOUR })),
  not_yet_valid: withClaims((_, seconds) => ({ nbf: seconds + HOUR })),
  missing_sub: withClaims(() => ({ sub: void 0 })),
  alg_none: ({
    draft: {
      claims,
      header: { typ }
    }
  }) => `${encode({ alg: "none", typ })}.${encode(claims)}.`,
  hs256: ({ draft: { claims, header }, clientSecret }) => {
    const signed = `${encode({ ...header, alg: "HS256" })}.${encode(claims)}`;
    return `${signed}.${createHmac("sha256", clientSecret).update(signed).digest("base64url")}`;
  },
  no_kid: ({
    draft: {
      claims,
      header: { alg, typ }
    },
    key
  }) => signIdToken({ claims, header: { alg, typ } }, key),
  wrong_nonce: withClaims(({ claims }) => ({ nonce: `not-${claims.nonce ?? "asked-for"}` }))
};
async function tamperWith(effect, tampering) {
  if (typeof effect === "string") return tampers[effect](tampering);
  const { claims = {}, omit = [] } = effect;
  const left = Object.entries({ ...tampering.draft.claims, ...claims }).filter(([name]) => !omit.includes(name));
  return signIdToken({ ...tampering.draft, claims: Object.fromEntries(left) }, tampering.key);
}
var encode = (part) => Buffer.from(JSON.stringify(part)).toString("base64url");
function withFlippedSignature(token) {
  const [header, claims, signature] = token.split(".");
  const bytes = Buffer.from(signature, "base64url").map((byte, index) => index === 0 ? byte ^ 255 : byte);
  return [header, claims, Buffer.from(bytes).toString("base64url")].join(".");
}

// src/oauth/id-token.ts
async function idTokenFor(world, app, code) {
  const scopes = code.scope.split(" ");
  const user = world.store.users.get(code.user);
  if (!scopes.includes("openid") || !user) return void 0;
  const now = world.clock.now();
  const key = await world.keys.signingKey();
  const draft = {
    header: { alg: "RS256", kid: key.id, typ: "JWT" },
    claims: {
      sub: user.id,
      iss: world.addresses.app_url,
      aud: app.client_id,
      iat: Math.floor(now / 1e3),
      exp: Math.floor((now + world.settings.id_token_ttl) / 1e3),
      ...userClaims(user, scopes),
      ...code.nonce !== null && { nonce: code.nonce }
    }
  };
  const fault = fireFault(world, {
    surface: "id_token",
    app: app.id,
    organization: code.organization,
    // The only request that is answered with an id_token.
    method: "POST",
    path: "/oauth/token",
    grant_type: "authorization_code"
  });
  const warnings = refusedByMachine(world);
  if (!fault) return { token: await signIdToken(draft, key), warnings };
  const token = await tamperWith(fault.effect, {
    draft,
    key,
    seconds: Math.floor(now / 1e3),
    clientSecret: app.client_secret
  });
  return { token, fault: fault.id, warnings };
}
var TOLERANCE = 6e4;
function refusedByMachine({ clock, settings }) {
  const { offset } = clock.state();
  const expiredFor = -offset - settings.id_token_ttl;
  const seconds = (ms) => `${Math.round(ms / 1e3)} s`;
  const said = expiredFor > 0 ? `its exp is ${seconds(expiredFor)} in the past` : offset > TOLERANCE ? `its iat is ${seconds(offset)} in the future` : void 0;
  if (said === void 0) return [];
  const message = `By the machine's clock ${said}, so clients that go by it refuse the id_token: start without --now, or move the clock`;
  return [{ code: "id_token_time", path: "id_token", message }];
}

// src/oauth/token-form.ts
var MOST_PARAMETERS = 1e3;
function readForm({ body, bodyTooLarge, headers }) {
  if (bodyTooLarge) throw new Refusal("too_large");
  const type = headers["content-type"] ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type.trim())) {
    throw new OAuthRefusal(
      "invalid_request",
      "The body must be application/x-www-form-urlencoded",
      type ? `Content-Type is ${type}` : "Content-Type is missing"
    );
  }
  const parameters = new URLSearchParams(body.toString("utf8"));
  if (parameters.size > MOST_PARAMETERS) {
    throw new OAuthRefusal("invalid_request", `The body has more than ${MOST_PARAMETERS} parameters`);
  }
  const groups = grouped(parameters);
  for (const [name, values] of groups) {
    if (values.length > 1) throw new OAuthRefusal("invalid_request", `The parameter ${name} is given more than once`);
  }
  const get = (name) => groups.get(name)?.[0] || void 0;
  return {
    get,
    need(name) {
      const value = get(name);
      if (value === void 0) throw new OAuthRefusal("invalid_request", `The parameter ${name} is missing`);
      return value;
    }
  };
}

// src/oauth/oauth.routes.ts
var cacheable = { "cache-control": "public, max-age=3600", "access-control-allow-origin": "*" };
var oauthRoutes = [
  /** spec: §4.8, wire: §6 "token endpoint" */
  route(
    "POST",
    "/oauth/token",
    { id: "token", summary: "Exchange a code or a refresh token", source: "spec: \xA74.8" },
    async (world, request) => {
      const form = readForm(request);
      const app = authenticateClient(world, request, form);
      const { pair, code } = grantTokens(world, app, form);
      const response = presentPair(world, pair);
      const issued = code && await idTokenFor(world, app, code);
      return {
        status: 200,
        headers: noStore,
        body: { ...response, ...issued && { id_token: issued.token } },
        notes: {
          ...issued?.fault !== void 0 && injected(issued.fault),
          warnings: [...fromBrowser(request), ...issued?.warnings ?? []]
        }
      };
    }
  ),
  /** wire: §6 "discovery, JWKS" */
  route(
    "GET",
    "/.well-known/openid-configuration",
    { id: "discovery", summary: "The OIDC discovery document", source: "spec: \xA74.8", open: true },
    (world) => ({ status: 200, headers: cacheable, body: discoveryDocument(world) })
  ),
  route(
    "GET",
    JWKS_PATH,
    { id: "jwks", summary: "The keys that id_tokens are verified with", source: "spec: \xA74.8", open: true },
    async (world) => ({ status: 200, headers: cacheable, body: jwks(await world.keys.published()) })
  )
];
var fromBrowser = ({ headers: { origin } }) => origin === void 0 ? [] : [
  {
    code: "token_request_from_page",
    path: "Origin",
    message: `The request came from a page of ${origin}. A page cannot read the response, and the client secret does not belong there: redeem codes in the app's backend`
  }
];
export {
  oauthRoutes
};
