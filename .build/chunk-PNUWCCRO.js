import {
  bearerOf
} from "./chunk-WWOQV4L2.js";
import {
  tokenState
} from "./chunk-SQXZWWAL.js";
import {
  refusedFor
} from "./chunk-KMQ55J3A.js";
import {
  Refusal,
  invalid
} from "./chunk-MW7MI5LZ.js";

// src/authentication/challenges.ts
var bearerChallenge = () => ({ "www-authenticate": "Bearer" });
var invalidTokenChallenge = (state) => ({
  "www-authenticate": `Bearer error="invalid_token", error_description="The ${state === "unknown" ? "credential" : "access token"} is ${state}"`
});
var insufficientScopeChallenge = (scope) => ({
  "www-authenticate": `Bearer error="insufficient_scope"${scope ? `, scope="${scope}"` : ""}`
});

// src/authentication/authenticate.ts
function authenticate(world, request, scope) {
  const secret = bearerOf(request.headers);
  if (secret === void 0) {
    const reason = request.headers.authorization ? 'The Authorization header is not "Bearer <credential>"' : "No Authorization header was sent";
    throw new Refusal("unauthorized", { headers: bearerChallenge(), reason });
  }
  const organization = world.store.organizations.by("api_key", secret);
  if (organization) return { kind: "api_key", organization: organization.id };
  const token = world.store.tokens.by("secret", secret);
  if (token?.kind !== "access") {
    throw invalidToken(
      "unknown",
      token ? "A refresh token was sent where an access token is needed" : "The credential was never issued here, or its API key was regenerated"
    );
  }
  const state = tokenState(token, world.clock.now());
  if (state === "expired") throw invalidToken("expired", `The access token expired at ${token.expires_at}`);
  if (state !== "active")
    throw invalidToken("revoked", `The access token was revoked at ${token.ended_at}: ${token.ended_by}`);
  const refusal = refusedFor(token, scope);
  if (refusal) {
    throw new Refusal("insufficient_scope", { headers: insufficientScopeChallenge(scope), reason: refusal });
  }
  return { kind: "token", organization: token.organization, token };
}
var invalidToken = (state, reason) => new Refusal("unauthorized", { headers: invalidTokenChallenge(state), reason });
function identifyBearer(world, request) {
  const secret = bearerOf(request.headers);
  if (secret === void 0) return {};
  const organization = world.store.organizations.by("api_key", secret);
  if (organization) return { organization: organization.id };
  const token = world.store.tokens.by("secret", secret);
  if (!token) return {};
  return { app: token.app, organization: token.organization, ...token.user && { user: token.user } };
}

// src/http/envelope.ts
import { createHash } from "node:crypto";
var payload = (body, warnings = []) => ({
  status: 200,
  body: { error: null, payload: body },
  notes: { warnings }
});
var refuse = ({ status, message, details }) => ({
  status,
  body: { error: message, payload: null, ...details && { details } }
});
function page(world, request, { organization, filter = {} }, records, present, keep = () => true) {
  const cursor = request.query.get("page");
  const asked = Object.entries(filter).filter(([, value]) => value != null);
  const list = createHash("sha256").update(JSON.stringify([request.path, organization, asked])).digest("base64url");
  const tag = list.slice(0, TAG_LENGTH);
  const before = cursor === null ? records.size : records.rank({ ...readCursor(cursor, tag) });
  const found = [];
  for (const record of records.backwards(before)) {
    if (!keep(record)) continue;
    found.push(record);
    if (found.length > world.settings.page_size) break;
  }
  const shown = found.slice(0, world.settings.page_size);
  const next = found.length > shown.length ? writeCursor(shown.at(-1), tag) : null;
  return payload({ data: shown.map(present), next });
}
var TAG_LENGTH = 8;
var writeCursor = ({ created_at, sequence }, tag) => Buffer.from(JSON.stringify([created_at, sequence, tag])).toString("base64url");
function readCursor(text, tag) {
  const read = cursorIn(text);
  if (!read) throw invalid([{ path: "page", message: 'is not a cursor that a list has given as "next"' }]);
  if (read.tag === tag) return read.cursor;
  const message = 'is a cursor of another list: another path, organization or filter. Begin without "page"';
  throw invalid([{ path: "page", message }]);
}
function cursorIn(text) {
  try {
    const read = JSON.parse(Buffer.from(text, "base64url").toString());
    if (!Array.isArray(read) || read.length !== 3) return void 0;
    const [created_at, sequence, tag] = read;
    const cursor = { created_at, sequence };
    const isCursor = typeof created_at === "string" && new Date(created_at).toISOString() === created_at && Number.isSafeInteger(sequence) && typeof tag === "string" && writeCursor(cursor, tag) === text;
    return isCursor ? { cursor, tag } : void 0;
  } catch {
    return void 0;
  }
}

export {
  bearerChallenge,
  invalidTokenChallenge,
  insufficientScopeChallenge,
  authenticate,
  identifyBearer,
  payload,
  refuse,
  page
};
