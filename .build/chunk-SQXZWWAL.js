import {
  trimEnded
} from "./chunk-BZLA7KRH.js";

// src/authentication/tokens.ts
var tokenState = (token, now) => token.ended ?? (Date.parse(token.expires_at) <= now ? "expired" : "active");
function mintPair(world, tx, request) {
  const { clock, random, settings } = world;
  const { installation, grant, scope, user = null, code = null, ttl = settings.access_token_ttl, secrets } = request;
  const token = (kind, secret, lifetime) => {
    const record = {
      id: random.id(),
      sequence: tx.next(),
      created_at: clock.timestamp(),
      secret,
      kind,
      grant,
      app: installation.app,
      organization: installation.organization,
      installation: installation.id,
      user,
      scope,
      code,
      expires_at: clock.timestamp(lifetime),
      ended: null,
      ended_at: null,
      ended_by: null
    };
    tx.put("tokens", record);
    return record;
  };
  const pair = {
    access: token("access", secrets?.access_token ?? random.secret("at_"), ttl),
    refresh: token("refresh", secrets?.refresh_token ?? random.secret("rt_"), settings.refresh_token_ttl)
  };
  trimEnded(world, tx, "tokens");
  return pair;
}
function endTokens(world, tx, tokens, ended, by) {
  const open = [...tokens].filter((token) => token.ended === null);
  for (const token of open) tx.put("tokens", { ...token, ended, ended_at: world.clock.timestamp(), ended_by: by });
  trimEnded(world, tx, "tokens");
  return open.length;
}
function expireTokens(world, tx, tokens) {
  const now = world.clock.now();
  const active = [...tokens].filter((token) => tokenState(token, now) === "active");
  for (const token of active) tx.put("tokens", { ...token, expires_at: world.clock.timestamp() });
  trimEnded(world, tx, "tokens");
  return active.length;
}
function endInstallationGrants(world, tx, installation, by) {
  endTokens(world, tx, world.store.tokens.in("installation", installation), "revoked", by);
  for (const code of [...world.store.codes.in("installation", installation)]) {
    if (code.used_at === null) tx.put("codes", { ...code, expires_at: world.clock.timestamp() });
  }
}
function endUserGrants(world, tx, { organization, user }, by) {
  for (const { id } of world.store.installations.in("organization", organization)) {
    const tokens = [...world.store.tokens.in("installation", id)].filter((token) => token.user === user);
    endTokens(world, tx, tokens, "revoked", by);
    for (const code of [...world.store.codes.in("installation", id)]) {
      if (code.user === user && code.used_at === null) {
        tx.put("codes", { ...code, expires_at: world.clock.timestamp() });
      }
    }
  }
}
function presentPair(world, { access, refresh }) {
  return {
    token_type: "Bearer",
    expires_in: Math.round((Date.parse(access.expires_at) - world.clock.now()) / 1e3),
    access_token: access.secret,
    refresh_token: refresh.secret,
    scope: access.scope
  };
}

export {
  tokenState,
  mintPair,
  endTokens,
  expireTokens,
  endInstallationGrants,
  endUserGrants,
  presentPair
};
