import {
  OAuthRefusal
} from "./chunk-7THUOBFM.js";
import {
  byCreation
} from "./chunk-OEKPATS5.js";
import {
  endTokens,
  mintPair
} from "./chunk-SQXZWWAL.js";
import {
  trimEnded
} from "./chunk-BZLA7KRH.js";

// src/oauth/pkce.ts
import { createHash } from "node:crypto";
var challengeMethods = {
  S256: (verifier) => createHash("sha256").update(verifier, "ascii").digest("base64url"),
  plain: (verifier) => verifier
};
var isChallengeMethod = (text) => Object.hasOwn(challengeMethods, text);
var isChallenge = (text) => /^[A-Za-z0-9._~-]{43,128}$/.test(text);
function verifierFault({ code_challenge, code_challenge_method }, verifier) {
  if (code_challenge === null) {
    return verifier === void 0 ? void 0 : "a code_verifier was sent for a code that was asked for without a challenge";
  }
  if (verifier === void 0) return "the code_verifier is missing: the code was asked for with a code_challenge";
  const method = code_challenge_method ?? "plain";
  if (challengeMethods[method](verifier) === code_challenge) return void 0;
  return `the code_verifier does not match the code_challenge (${method})`;
}

// src/oauth/standing.ts
var isCurrent = (installation) => installation?.state === "installed" || installation?.state === "uninstalling";
function qualifying(world, app, user, pinned) {
  const slugs = pinned === null ? [...world.store.memberships.in("user", user.id)].map(({ organization }) => organization) : world.store.memberships.get(`${pinned}/${user.id}`) ? [pinned] : [];
  return slugs.flatMap((slug) => world.store.installations.by("current", `${app.id}/${slug}`) ?? []).sort(byCreation);
}

// src/oauth/codes.ts
function issueCode(world, request, user, installation) {
  const { clock, random, settings, store } = world;
  const { redirect_uri, scope, nonce, code_challenge, code_challenge_method } = request;
  return store.change((tx) => {
    const code = {
      id: random.id(),
      sequence: tx.next(),
      created_at: clock.timestamp(),
      secret: random.secret("ac_"),
      app: installation.app,
      organization: installation.organization,
      installation: installation.id,
      user: user.id,
      scope: scope.join(" "),
      redirect_uri,
      nonce,
      code_challenge,
      code_challenge_method,
      expires_at: clock.timestamp(settings.code_ttl),
      used_at: null
    };
    tx.put("codes", code);
    trimEnded(world, tx, "codes");
    return code;
  });
}
function redeemCode(world, app, exchange) {
  const { store, clock } = world;
  const code = store.codes.by("secret", exchange.secret);
  if (!code) throw refusedCode("is not valid", "The code was never issued here, or is no longer kept");
  if (code.app !== app) throw refusedCode("is not valid", `The code was issued to the app ${code.app}, not to ${app}`);
  if (code.used_at !== null) {
    const issued = store.tokens.in("code", code.id);
    const ended = store.change((tx) => endTokens(world, tx, issued, "revoked", "its authorization code was used twice"));
    throw refusedCode(
      "has been used already",
      `The code was used at ${code.used_at}; ${ended} tokens that came of it were revoked now`
    );
  }
  const standing = store.installations.get(code.installation);
  if (!isCurrent(standing)) {
    throw refusedCode("is not valid", `The installation it was granted through is ${standing?.state ?? "gone"}`);
  }
  if (code.expires_at <= clock.timestamp()) throw refusedCode("has expired", `The code expired at ${code.expires_at}`);
  if (code.redirect_uri !== exchange.redirect_uri) {
    throw new OAuthRefusal(
      "invalid_grant",
      "The redirect_uri is not the one of the authorization request",
      `The code was asked for with redirect_uri ${code.redirect_uri}; the token request has ${exchange.redirect_uri}`
    );
  }
  const fault = verifierFault(code, exchange.code_verifier);
  if (fault) throw new OAuthRefusal("invalid_grant", `PKCE: ${fault}`);
  return store.change((tx) => {
    const used = { ...code, used_at: clock.timestamp() };
    tx.put("codes", used);
    trimEnded(world, tx, "codes");
    const { user, scope } = code;
    const installation = { id: code.installation, app: code.app, organization: code.organization };
    return { code: used, pair: mintPair(world, tx, { installation, grant: "authorize", scope, user, code: code.id }) };
  });
}
var refusedCode = (what, reason) => new OAuthRefusal("invalid_grant", `The authorization code ${what}`, reason);

export {
  challengeMethods,
  isChallengeMethod,
  isChallenge,
  isCurrent,
  qualifying,
  issueCode,
  redeemCode
};
