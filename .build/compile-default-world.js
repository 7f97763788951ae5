import {
  headerNames,
  sign
} from "./chunk-QGXP4U22.js";
import {
  createFormKey
} from "./chunk-UT6PW3NW.js";
import {
  Collection,
  byCreation
} from "./chunk-OEKPATS5.js";
import {
  START,
  afterFailure,
  checkSettings,
  createClock,
  ended,
  presentDelivery,
  presentEntry,
  resolveSettings,
  settingsFromEnvironment,
  startClock
} from "./chunk-BDNL3X4C.js";
import {
  version
} from "./chunk-67UOJKEN.js";
import {
  createRateLimiter
} from "./chunk-SFZUXUQR.js";
import {
  bearerOf
} from "./chunk-WWOQV4L2.js";
import {
  fireFault
} from "./chunk-H2GNJO72.js";
import {
  FORMAT,
  StartRefusal,
  toLine
} from "./chunk-KXV3H5UX.js";
import {
  hashOf,
  secretsOf
} from "./chunk-KI6BLFDI.js";
import {
  compileFixtures
} from "./chunk-Y6TB75EN.js";
import "./chunk-NC6EVZ2H.js";
import {
  attemptWindow
} from "./chunk-IGN2O7BR.js";
import {
  ruleNames,
  rules
} from "./chunk-UOQ57ESE.js";
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
import {
  MOMENT
} from "./chunk-TDBNU74T.js";
import "./chunk-3H6G6YER.js";
import {
  completeUninstall
} from "./chunk-D4TRWNWV.js";
import "./chunk-JFX54X37.js";
import "./chunk-SQXZWWAL.js";
import {
  trimEnded
} from "./chunk-BZLA7KRH.js";
import "./chunk-V3RODA4B.js";
import "./chunk-DASGZFY7.js";
import "./chunk-KMQ55J3A.js";
import {
  Refusal
} from "./chunk-MW7MI5LZ.js";
import "./chunk-OEGBZOM3.js";
import "./chunk-6VLNLZIY.js";
import "./chunk-JD7TKZ54.js";
import "./chunk-OLY32F6C.js";
import "./chunk-7L5WAEY2.js";
import "./chunk-Z4UT4XDO.js";
import "./chunk-PA6CYUBJ.js";
import "./chunk-ELCYYWVK.js";

// src/cli/compile-default-world.ts
import { readFileSync as readFileSync6 } from "node:fs";

// src/start/launch.ts
import { setMaxListeners as setMaxListeners2 } from "node:events";
import { createServer } from "node:http";
import { inspect } from "node:util";

// src/admin/publish-events.ts
function publishEvents(world2) {
  const { stream, store } = world2;
  store.onChange((changes) => {
    if (!stream.tells) return;
    for (const { collection, id, after } of changes) {
      stream.publish("change", () => ({ collection, id, kind: after ? "put" : "removed" }));
      if (collection === "deliveries" && after) {
        const delivery = after;
        stream.publish(
          "delivery",
          () => presentDelivery(delivery),
          delivery.body.length * (1 + delivery.attempts.length)
        );
      }
      if (collection === "clock") {
        const state = world2.clock.state();
        stream.publish("clock", () => state);
      }
    }
  });
  world2.findings.onFinding((finding) => stream.publish("finding", () => finding));
  world2.journal.onEntry((entry) => stream.publish("request", () => presentEntry(entry), sizeOf(entry)));
}
var sizeOf = ({ request, response }) => 1e3 + (request.body?.length ?? 0) + (response.body?.length ?? 0);

// src/apps/installation-listener.ts
var createInstallationListener = (getWorld) => ({
  onRecorded(tx, { event, installation }) {
    if (event.type === "app.uninstalled") completeUninstall(getWorld(), tx, installation);
  },
  onResume(open2) {
    const world2 = getWorld();
    const { store } = world2;
    const leaving = new Set(
      open2.filter(({ event }) => event.type === "app.uninstalled").map(({ installation }) => installation)
    );
    const orphaned = [...store.installations.in("uninstalling", "all")].filter(({ id }) => !leaving.has(id));
    if (orphaned.length === 0) return;
    store.change((tx) => {
      for (const { id } of orphaned) completeUninstall(world2, tx, id);
    });
  }
});

// src/faults/holds.ts
function createHolds(store) {
  const waiting = /* @__PURE__ */ new Map();
  const release2 = (fault) => {
    const waiters = waiting.get(fault);
    waiting.delete(fault);
    for (const go of waiters ?? []) go();
  };
  store.onChange((changes) => {
    for (const { collection, id, after } of changes) if (collection === "faults" && !after) release2(id);
  });
  return {
    wait: (fault, size, signal) => new Promise((resolve2) => {
      const waiters = waiting.get(fault) ?? /* @__PURE__ */ new Set();
      waiting.set(fault, waiters.add(resolve2));
      signal.addEventListener("abort", () => {
        waiters.delete(resolve2);
        resolve2();
      });
      if (waiters.size >= size) release2(fault);
    }),
    releaseAll() {
      for (const fault of [...waiting.keys()]) release2(fault);
    }
  };
}

// src/findings/finding.ts
var KEPT_ENTRIES = 50;
var FindingList = class {
  #findings = /* @__PURE__ */ new Map();
  /** @returns the finding as it is now. */
  add({ rule, entry, seen }) {
    const { app = null, organization = null } = entry.identity;
    const key = `${rule} ${app ?? entry.client}`;
    const { level, section, explanation } = rules[rule];
    const before = this.#findings.get(key);
    const finding = {
      rule,
      level,
      section,
      app,
      organization: before && before.organization !== organization ? null : organization,
      count: (before?.count ?? 0) + 1,
      first_at: before?.first_at ?? entry.at,
      last_at: entry.at,
      message: `${seen} ${explanation}`,
      entries: [...before?.entries ?? [], entry.id].slice(-KEPT_ENTRIES)
    };
    this.#findings.set(key, finding);
    return finding;
  }
  /** In the order of the rules, oldest first in each. */
  all() {
    return [...this.#findings.values()].sort((a, b) => orderOf(a) - orderOf(b));
  }
  clear() {
    this.#findings.clear();
  }
};
var orderOf = ({ rule }) => ruleNames.indexOf(rule);

// src/findings/judge-credentials.ts
var GRACE = 5e3;
var isJwt = (text) => /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(text);
var judgeCredentials = (world2, report) => ({
  judge({ entry, bearer, form }) {
    if (entry.surface === "api" && bearer !== void 0) {
      const wrong = wrongKind(world2, bearer);
      if (wrong) report("wrong_kind_of_token", entry, `${wrong} was sent to ${entry.method} ${entry.path}.`);
    }
    const sent = form?.get("refresh_token") ?? form?.get("code");
    if (sent && world2.store.tokens.by("secret", sent)?.kind === "access") {
      report("wrong_kind_of_token", entry, "An access token was sent to the token endpoint.");
    }
    const isCall = entry.surface === "api" || entry.surface === "oauth";
    const leaked = isCall && entry.search !== "" ? leakedIn(world2, entry.search) : void 0;
    if (leaked) report("token_in_url", entry, `${leaked} was sent in the URL of ${entry.method} ${entry.path}.`);
  }
});
function wrongKind(world2, secret) {
  const { store } = world2;
  const token = store.tokens.by("secret", secret);
  if (token?.kind === "refresh") return "A refresh token";
  if (token?.grant === "authorize") return "A user's access token";
  if (store.codes.by("secret", secret)) return "An authorization code";
  return !token && isOwnIdToken(world2, secret) ? "An id_token" : void 0;
}
function isOwnIdToken({ addresses }, secret) {
  if (!isJwt(secret)) return false;
  try {
    const claims = JSON.parse(Buffer.from(secret.split(".")[1] ?? "", "base64url").toString());
    return claims?.iss === new URL(addresses.app_url).origin;
  } catch {
    return false;
  }
}
function leakedIn({ store }, search) {
  for (const [name, value] of new URLSearchParams(search)) {
    if (value.length < 8 || name === "client_id") continue;
    if (store.tokens.by("secret", value)) return "A token";
    if (store.codes.by("secret", value)) return "An authorization code";
    if (store.organizations.by("api_key", value)) return "An API key";
    for (const { client_secret, signing_secret } of store.apps.all) {
      if (value === client_secret) return "A client secret";
      if (value === signing_secret) return "A signing secret";
    }
  }
  return void 0;
}
function goneSince({ store }, token) {
  const installation = store.installations.get(token.installation);
  if (installation?.state !== "uninstalled" || installation.ended_at === null) return void 0;
  const told = [...store.deliveries.in("installation", installation.id)].filter(
    ({ event }) => event.type === "app.uninstalled"
  );
  if (told.length === 0) return Date.parse(installation.ended_at) + GRACE;
  const acknowledged = told.find(({ state }) => state === "acknowledged")?.ended_at;
  return acknowledged ? Date.parse(acknowledged) + GRACE : void 0;
}

// src/findings/recent.ts
var Recent = class {
  constructor(most = 5e3) {
    this.most = most;
  }
  most;
  #entries = /* @__PURE__ */ new Map();
  get(key) {
    return this.#entries.get(key);
  }
  get size() {
    return this.#entries.size;
  }
  has(key) {
    return this.#entries.has(key);
  }
  set(key, value) {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.most) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== void 0) this.#entries.delete(oldest);
  }
  delete(key) {
    this.#entries.delete(key);
  }
  *[Symbol.iterator]() {
    yield* this.#entries;
  }
  clear() {
    this.#entries.clear();
  }
};

// src/findings/judge-keys.ts
var JWKS = "/.well-known/jwks.json";
var CACHED = ["/.well-known/openid-configuration", JWKS];
var HOUR = 36e5;
var UNCACHED = 3;
var FETCH = 1e4;
var judgeKeys = (world2, report, realNow) => {
  const fetched = new Recent();
  const served = /* @__PURE__ */ new Set();
  let pending = [];
  const overdue = (now) => {
    const late = pending.filter(({ since }) => now - since > FETCH);
    pending = pending.filter((each) => !late.includes(each));
    for (const { entry, kid } of late) {
      report("stale_keys", entry, `The id_token was signed with the new key ${kid}, and nobody fetched the keys.`);
    }
  };
  return {
    judge({ entry, endedAt, answer }) {
      overdue(endedAt);
      if (entry.path === JWKS) pending = [];
      if (CACHED.includes(entry.path) && entry.status === 200 && entry.notes.fault === void 0) {
        const key = `${entry.client} ${entry.path}`;
        const at = Date.parse(entry.at);
        const keys = [...world2.store.keys.all].map(({ id }) => id).join(" ");
        const before = fetched.get(key);
        const within = before && before.keys === keys ? before.times.filter((time) => at - time < HOUR) : [];
        const times = [...within, at];
        fetched.set(key, { times, keys });
        if (times.length >= UNCACHED) {
          report("uncached_keys", entry, `${entry.path} was fetched ${times.length} times within its hour.`);
        }
        for (const { kid: kid2 } of answer()?.keys ?? []) served.add(kid2);
      }
      if (entry.path !== "/oauth/token") return;
      if (entry.notes.fault !== void 0) {
        fetched.clear();
        return;
      }
      const token = answer()?.id_token;
      const kid = typeof token === "string" ? kidOf(token) : void 0;
      if (kid !== void 0 && served.size > 0 && !served.has(kid)) pending.push({ entry, kid, since: endedAt });
    },
    conclude: () => overdue(realNow())
  };
};
function kidOf(token) {
  try {
    const header = JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString());
    return header.kid;
  } catch {
    return void 0;
  }
}

// src/findings/judge-lists.ts
import { createHash } from "node:crypto";
var UNREAD = 3;
var POLLS = 10;
var EVEN = 1.5;
var SHORTEST_GAP = 1e3;
var SHORT = 4096;
var judgeLists = (_world, report) => {
  const open2 = new Recent();
  const unread = new Recent();
  const polled = new Recent();
  return {
    judge({ entry, bearer, answer }) {
      const { surface, method, path, status, search, at, notes } = entry;
      if (surface !== "api" || method !== "GET" || status !== 200 || bearer === void 0) return;
      if (notes.fault !== void 0) return;
      const [page, others] = pageIn(search);
      const list = `${bearer} ${path}?${others}`;
      if (page === null && open2.has(list)) {
        const count = (unread.get(list) ?? 0) + 1;
        unread.set(list, count);
        if (count >= UNREAD) {
          report("unread_pages", entry, `${path} was read ${count} times without the page that next names.`);
        }
      }
      const next = mayHaveNext(entry) ? nextOf(answer()) : void 0;
      if (typeof next === "string") open2.set(list, next);
      else open2.delete(list);
      const key = `${bearer} ${path}?${search}`;
      const body = remembered(entry);
      const time = Date.parse(at);
      const before = polled.get(key);
      const isPoll = before && time - before.times.at(-1) >= SHORTEST_GAP && isSame(before.body, body);
      const times = isPoll ? [...before.times, time].slice(-POLLS) : [time];
      polled.set(key, { body, times });
      if (times.length < POLLS) return;
      const gaps = times.slice(1).map((time2, index) => time2 - times[index]);
      const [shortest, longest] = [Math.min(...gaps), Math.max(...gaps)];
      if (longest <= shortest * EVEN) {
        const seconds = Math.round(shortest / 1e3);
        report("polling", entry, `GET ${path} brought the same response ${POLLS} times, every ${seconds} s.`);
      }
    }
  };
};
var mayHaveNext = ({ response: { body } }) => body?.includes('"next":"') ?? false;
var nextOf = (answer) => answer?.payload?.next;
function pageIn(search) {
  if (search === "") return [null, ""];
  const query = new URLSearchParams(search);
  const page = query.get("page");
  query.delete("page");
  return [page, query.toString()];
}
function remembered({ response: { body = "", length } }) {
  return length <= SHORT ? body : `${length} ${createHash("sha1").update(body).digest("base64")}`;
}
var isSame = (a, b) => typeof a === "string" ? a === b : typeof b !== "string" && a.equals(b);

// src/findings/hearing.ts
var ON_ITS_WAY = 1e3;
var KEPT_CONNECTIONS = 20;
var answeredIn = ({ entry, endedAt }, before) => ({
  at: before?.at ?? endedAt,
  connections: [...before?.connections ?? [], connectionOf(entry)].slice(-KEPT_CONNECTIONS)
});
var hasHeard = ({ entry, startedAt }, { at, connections }) => startedAt >= at && (startedAt - at > ON_ITS_WAY || connections.includes(connectionOf(entry)));
var connectionOf = ({ client, client_port }) => `${client} ${client_port}`;
function mayBeLost({ store }, { status, notes }) {
  if (status === null) return true;
  if (notes.fault === void 0) return false;
  const effect = store.faults.get(notes.fault)?.effect;
  return typeof effect !== "object" || effect === null || Object.keys(effect).some((name) => name !== "hold");
}

// src/findings/judge-refreshes.ts
var ABOUT_TO_EXPIRE = 5e3;
var STAMPEDE = 2e3;
var PATIENCE = 3;
var judgeRefreshes = (world2, report) => {
  const uses = new Recent();
  const losers = new Recent();
  const refused = new Recent();
  const refusedAccess = new Recent();
  const reportReuse = ({ entry, startedAt }, use) => {
    if (use.isLost) return;
    const since = Math.max(0, Math.round(startedAt - use.at));
    if (since <= STAMPEDE) report("concurrent_refresh", entry, `The refresh token had been used ${since} ms before.`);
    else report("refresh_reuse", entry, `The refresh token had been used ${Math.round(since / 1e3)} s before.`);
  };
  const judgeUse = (seen, secret, token, isLost) => {
    const { entry, endedAt } = seen;
    const use = { at: endedAt, isLost };
    uses.set(secret, use);
    const loser = losers.get(secret);
    if (loser) reportReuse(loser, use);
    losers.delete(secret);
    const early = entry.notes.fault === void 0 ? lifeLeft(world2, token, entry.at) : void 0;
    if (early !== void 0 && !refusedAccess.has(early.secret)) {
      const seconds = Math.round(early.left / 1e3);
      report("early_refresh", entry, `The access token still had ${seconds} s to live and had not been refused.`);
    }
  };
  return {
    judge(seen) {
      const { entry, bearer, form, answer } = seen;
      if (bearer !== void 0 && entry.status === 401) refusedAccess.set(bearer, true);
      const secret = form?.get("grant_type") === "refresh_token" ? form.get("refresh_token") : null;
      const token = secret ? world2.store.tokens.by("secret", secret) : void 0;
      if (!secret || token?.kind !== "refresh") return;
      const isLost = mayBeLost(world2, entry);
      const isUsed = token.ended === "rotated";
      const use = uses.get(secret);
      const isFirst = entry.status === 200 || isLost && (token.ended_at ?? "") >= entry.at;
      if (isUsed && !use && isFirst) {
        judgeUse(seen, secret, token, isLost);
        return;
      }
      if (isLost || entry.status === null || entry.status < 400 || answer()?.error !== "invalid_grant") return;
      if (isUsed && use) reportReuse(seen, use);
      else if (isUsed) losers.set(secret, seen);
      const before = refused.get(secret);
      const count = before === void 0 ? 0 : before.count + (hasHeard(seen, before.answered) ? 1 : 0);
      refused.set(secret, { count, answered: answeredIn(seen, before?.answered) });
      if (before && count > before.count && count > PATIENCE && !isOver(world2, token)) {
        report("dead_refresh", entry, `The refresh token was sent ${count} times after it had been refused.`);
      }
    }
  };
};
function lifeLeft(world2, refresh, at) {
  const access = [...world2.store.tokens.in("installation", refresh.installation)].find(
    ({ kind: kind2, created_at, sequence }) => kind2 === "access" && created_at === refresh.created_at && sequence === refresh.sequence - 1
  );
  if (!access || access.ended !== null) return void 0;
  const left = Date.parse(access.expires_at) - Date.parse(at);
  return left > ABOUT_TO_EXPIRE ? { secret: access.secret, left } : void 0;
}
var isOver = (world2, { installation }) => world2.store.installations.get(installation)?.state === "uninstalled";

// src/findings/judge-requests.ts
var HOPELESS = 3;
var IMPATIENT = 3;
var judgeRequests = (world2, report) => {
  const refused = new Recent();
  const limited = new Recent();
  const inVain = new Recent();
  const judgeUnknownFields = (entry) => {
    const unknown = unknownFields(entry);
    if (unknown.length === 0) return;
    const fields = unknown.join(", ");
    report("unknown_fields", entry, `${entry.method} ${entry.path} had fields that are not read there: ${fields}.`);
  };
  return {
    judge(seen) {
      const { entry, startedAt, endedAt, bearer, form } = seen;
      const offered = form && world2.store.tokens.by("secret", form.get("refresh_token") ?? "");
      if (offered && (entry.status !== 200 || entry.notes.fault !== void 0))
        inVain.set(offered.installation, endedAt);
      if (entry.surface !== "api" || bearer === void 0) return;
      judgeUnknownFields(entry);
      if (entry.status === 200 && refused.size === 0 && limited.size === 0) return;
      const { method, path, search, status, at } = entry;
      const key = `${bearer} ${method} ${path}?${search} ${bodyOf(entry)}`;
      const before = refused.get(key);
      const isRepeated = before !== void 0 && hasHeard(seen, before.answered);
      const repeated = (before?.repeated ?? 0) + (isRepeated ? 1 : 0);
      const token = world2.store.tokens.by("secret", bearer);
      const hadNoOther = token !== void 0 && (inVain.get(token.installation) ?? -1) >= (before?.answered.at ?? 0);
      if (isRepeated && before.status === 401 && token?.kind === "access" && !hadNoOther) {
        report("retry_without_refresh", entry, `${method} ${path} was sent again with the token that had been refused.`);
      }
      if (isRepeated && before.status === 403 && repeated >= HOPELESS) {
        report("hopeless_retry", entry, `${method} ${path} was sent ${repeated} times after it was answered 403.`);
      }
      if (status === 401 || status === 403) {
        const same2 = before?.status === status ? before.answered : void 0;
        refused.set(key, { status, answered: answeredIn(seen, same2), repeated: same2 ? repeated : 0 });
      }
      if (status !== null && status !== 401 && status !== 403) refused.delete(key);
      const limit = limited.get(bearer);
      const isTooEarly = limit && Date.parse(at) < limit.until && startedAt < limit.realUntil;
      if (limit && isTooEarly && hasHeard(seen, limit.answered)) {
        limit.count++;
        if (limit.count >= IMPATIENT) {
          report("ignored_rate_limit", entry, `${limit.count} requests were sent before Retry-After was over.`);
        }
      }
      const seconds = status === 429 ? Number(entry.response.headers["retry-after"]) : Number.NaN;
      if (seconds > 0) {
        const count = isTooEarly ? limit.count : 0;
        const wait = seconds * 1e3;
        const answered = answeredIn(seen, isTooEarly ? limit.answered : void 0);
        limited.set(bearer, { until: Date.parse(at) + wait, realUntil: endedAt + wait, answered, count });
      }
    }
  };
};
var SENT_BACK = ["id", "object", "type", "module", "course", "cover", "created_at", "updated_at"];
function unknownFields({ method, notes: { warnings = [] } }) {
  const ignored = warnings.filter(({ code }) => code === "ignored_field").map(({ path }) => path);
  const isUpdate = method === "PUT" || method === "PATCH";
  return isUpdate ? ignored.filter((field) => !SENT_BACK.includes(field)) : ignored;
}
var bodyOf = ({ request: { body } }) => body === void 0 ? "" : body.toString();

// src/findings/judge-scopes.ts
var judgeScopes = (world2, report) => {
  const used = new Recent();
  return {
    judge({ entry, bearer }) {
      if (entry.surface !== "api" || bearer === void 0) return;
      const token = world2.store.tokens.by("secret", bearer);
      if (token?.kind !== "access" || token.grant !== "install") return;
      const before = used.get(token.installation);
      const use = before ?? { scopes: /* @__PURE__ */ new Set(), last: entry };
      if (entry.scope) use.scopes.add(entry.scope);
      use.last = entry;
      if (!before) used.set(token.installation, use);
    },
    conclude() {
      for (const [id, { scopes, last }] of used) {
        const installation = world2.store.installations.get(id);
        if (installation?.state !== "installed") continue;
        const unused = installation.scope.split(" ").filter((scope) => scope !== "" && !scopes.has(scope));
        if (unused.length === 0) continue;
        report(
          "unused_scope",
          last,
          `${installation.organization} granted ${unused.join(", ")}, which was never needed.`
        );
      }
    },
    forget: () => used.clear()
  };
};

// src/findings/judge-sign-in.ts
var AUTHORIZE = "/oauth/authorize";
var STATE_BITS = 128;
var judgeSignIn = (world2, report) => {
  const asked = new Recent();
  const codes = new Recent();
  const redeemed = new Recent();
  const judgeRequest = (entry) => {
    const query = new URLSearchParams(entry.search);
    const [state, redirect] = ["state", "redirect_uri"].map((name) => query.get(name) ?? "");
    if (!entry.identity.app || !state || entry.status === 400) return;
    const key = `${redirect} ${state}`;
    const before = asked.get(key);
    asked.set(key, { entry, ended: before?.ended });
    if (before) return;
    const bits = Math.round(bitsOf(state));
    if (bits < STATE_BITS) report("weak_state", entry, `The state has ${state.length} characters, some ${bits} bits.`);
    if (!query.get("code_challenge")) report("no_pkce", entry, "The request has no code_challenge.");
    if (!query.get("nonce")) report("no_nonce", entry, "The request has no nonce.");
  };
  const judgeCallback = (entry) => {
    const location = String(entry.response.headers.location ?? "");
    if (!URL.canParse(location)) return;
    const { searchParams } = new URL(location);
    const [state, code] = [searchParams.get("state"), searchParams.get("code")];
    if (state === null) return;
    if (!code) return;
    for (const [key, { entry: request, ended: ended2 }] of asked) {
      if (!key.endsWith(` ${state}`) || !location.startsWith(key.slice(0, -state.length - 1))) continue;
      if (ended2 && ended2 !== request) {
        report("state_reuse", request, `The state had been in request ${ended2.id} already, which got a code.`);
      }
      asked.set(key, { entry: request, ended: request });
      break;
    }
    codes.set(code, { entry, redeemed: false });
  };
  return {
    judge({ entry, form }) {
      if (entry.path === AUTHORIZE && entry.method === "GET") judgeRequest(entry);
      if (entry.status === 302 || entry.status === 303) judgeCallback(entry);
      const code = form?.get("grant_type") === "authorization_code" ? form.get("code") : null;
      if (!code) return;
      const issued = codes.get(code);
      if (issued) issued.redeemed = true;
      const before = redeemed.get(code);
      const isLost = mayBeLost(world2, entry);
      if (before && !before.isLost && !isLost) {
        report("code_reuse", entry, "The authorization code had been redeemed before.");
      } else if (world2.store.codes.by("secret", code)?.used_at)
        redeemed.set(code, { isLost: isLost || before?.isLost === true });
    },
    conclude() {
      const now = world2.clock.timestamp();
      for (const [secret, { entry, redeemed: isRedeemed }] of codes) {
        const code = world2.store.codes.by("secret", secret);
        if (isRedeemed || !code || code.used_at !== null || code.expires_at > now) continue;
        report("unredeemed_code", entry, "An authorization code expired without being redeemed.");
        codes.delete(secret);
      }
    }
  };
};
function bitsOf(text) {
  const alphabets = [
    [/^\d*$/, 10],
    [/^[\da-f-]*$/i, 16],
    [/^[a-z]*$/, 26],
    [/^[a-z\d]*$/, 36]
  ];
  const size = alphabets.find(([pattern]) => pattern.test(text))?.[1] ?? 64;
  return new Set(text).size < 4 ? 0 : text.length * Math.log2(size);
}

// src/findings/judge-webhooks.ts
var judgeWebhooks = (world2, report) => ({
  judge({ entry, bearer }) {
    const { delivery, status, notes, duration } = entry;
    if (delivery && status !== null) {
      const acknowledged = status >= 200 && status < 300;
      if (delivery.sent === "forged" && acknowledged) {
        report("unverified_signature", entry, `A webhook whose signature does not fit was answered ${status}.`);
      }
      if (delivery.sent === "genuine" && notes.fault === void 0 && status >= 400 && status < 500) {
        report("rejected_valid_event", entry, `A genuine ${delivery.event} was answered ${status}.`);
      }
      if (acknowledged && notes.fault === void 0 && duration > delivery.window / 2) {
        const window = delivery.window / 1e3;
        report("slow_acknowledgement", entry, `${delivery.event} was acknowledged after ${duration} ms of ${window} s.`);
      }
    }
    if (entry.surface !== "api" || bearer === void 0) return;
    const installing = world2.store.deliveries.in("open", "all").size > 0 && installingFor(world2, bearer);
    if (installing) {
      report("slow_webhook_work", entry, `${entry.method} ${entry.path} came before app.installed was acknowledged.`);
    }
  }
});
function installingFor({ store }, secret) {
  const token = store.tokens.by("secret", secret);
  if (token?.grant !== "install") return void 0;
  return [...store.deliveries.in("installation", token.installation)].find(
    ({ event, state, attempts }) => event.type === "app.installed" && state === "pending" && attempts.length === 0
  );
}

// src/findings/findings.ts
var judges = [
  judgeCredentials,
  judgeRefreshes,
  judgeRequests,
  judgeSignIn,
  judgeKeys,
  judgeWebhooks,
  judgeLists,
  judgeScopes
];
var concluded = /* @__PURE__ */ new Set(["unused_scope"]);
function createFindings(getWorld, realNow) {
  const listeners = /* @__PURE__ */ new Set();
  const list = new FindingList();
  let conclusions = new FindingList();
  let panel;
  const report = (rule, entry, seen) => {
    const into = concluded.has(rule) ? conclusions : list;
    const finding = into.add({ rule, entry, seen });
    for (const told of listeners) told(finding);
  };
  const members = () => {
    panel ??= judges.map((create2) => create2(getWorld(), report, realNow));
    return panel;
  };
  return {
    judge(entry) {
      if (entry.surface === "admin" || entry.surface === "inbox") return;
      const seen = seenIn(entry, realNow());
      const gone = goneFor(getWorld(), seen);
      if (gone) {
        report("call_after_uninstall", entry, gone);
        return;
      }
      for (const judge2 of members()) judge2.judge(seen);
    },
    list() {
      conclusions = new FindingList();
      for (const judge2 of members()) judge2.conclude?.();
      return [...list.all(), ...conclusions.all()];
    },
    clear() {
      list.clear();
      conclusions.clear();
      for (const judge2 of panel ?? []) judge2.forget?.();
    },
    renew() {
      panel = void 0;
    },
    onFinding(told) {
      listeners.add(told);
      return () => listeners.delete(told);
    }
  };
}
function seenIn(entry, endedAt) {
  const isToken = entry.path === "/oauth/token" && entry.method === "POST";
  let answer;
  return {
    entry,
    endedAt,
    startedAt: endedAt - entry.duration,
    bearer: entry.surface === "api" ? bearerOf(entry.request.headers) : void 0,
    form: isToken ? new URLSearchParams(entry.request.body?.toString() ?? "") : void 0,
    answer() {
      answer ??= objectIn(entry.response.body);
      return answer;
    }
  };
}
function objectIn(body) {
  try {
    return JSON.parse(body?.toString() ?? "");
  } catch {
    return void 0;
  }
}
function goneFor(world2, { entry, bearer, form }) {
  const secret = bearer ?? form?.get("refresh_token");
  const token = secret ? world2.store.tokens.by("secret", secret) : void 0;
  if (!token) return void 0;
  const since = goneSince(world2, token);
  if (since === void 0 || Date.parse(entry.at) <= since) return void 0;
  return `${entry.method} ${entry.path} was sent with a token of ${token.organization}, which has uninstalled the app.`;
}

// src/fixtures/seed.ts
async function readSeed(fixtures) {
  if (fixtures === void 0) return (await import("./default-world-FTEV5G32.js")).defaultWorld();
  return (await import("./documents-seed-U7ITKXNO.js")).seedOf(fixtures);
}

// src/http/router.ts
import { IncomingMessage, ServerResponse } from "node:http";
import express from "express";

// src/http/incoming-request.ts
var NO_BODY = Buffer.alloc(0);
var IncomingRequest = class {
  /** @param closing aborts when the emulator closes. */
  constructor(message, response, params, closing) {
    this.message = message;
    this.response = response;
    this.params = params;
    this.closing = closing;
    const url = message.url ?? "/";
    const question = url.indexOf("?");
    this.method = message.method ?? "GET";
    this.path = pathOf(message);
    this.search = question < 0 ? "" : url.slice(question + 1);
    this.headers = message.headers;
    this.client = message.socket.remoteAddress ?? "";
  }
  message;
  response;
  params;
  closing;
  method;
  path;
  search;
  headers;
  client;
  body = NO_BODY;
  bodyTooLarge = false;
  #query;
  #gone;
  get query() {
    this.#query ??= new URLSearchParams(this.search);
    return this.#query;
  }
  get signal() {
    if (!this.#gone) {
      const gone = new AbortController();
      this.#gone = gone;
      const leave = () => gone.abort();
      if (this.closing.aborted || this.response.destroyed) gone.abort();
      this.closing.addEventListener("abort", leave, { once: true });
      this.response.once("close", () => {
        this.closing.removeEventListener("abort", leave);
        gone.abort();
      });
    }
    return this.#gone.signal;
  }
};
function pathOf({ url = "/" }) {
  const question = url.indexOf("?");
  const target = question < 0 ? url : url.slice(0, question);
  return target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/]*/i, "") || "/";
}

// src/http/body-reader.ts
var hasBody = ({ headers }) => headers["transfer-encoding"] !== void 0 || Number(headers["content-length"] ?? 0) > 0;
function readBody(request, limit) {
  const { message } = request;
  if (Number(message.headers["content-length"] ?? 0) > limit) {
    request.bodyTooLarge = true;
    return Promise.resolve(true);
  }
  return new Promise((resolve2) => {
    const chunks = [];
    let size = 0;
    const end = (arrived) => {
      message.off("data", take2).off("end", whole).off("error", lost).off("close", lost);
      resolve2(arrived);
    };
    const take2 = (chunk) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limit) return;
      request.bodyTooLarge = true;
      message.pause();
      end(true);
    };
    const whole = () => {
      request.body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
      end(true);
    };
    const lost = () => end(false);
    message.on("data", take2).on("end", whole).on("error", lost).on("close", lost);
  });
}
var DISCARDED = 64 * 1024 * 1024;
var PATIENCE2 = 2e3;
function discardBody(message) {
  if (message.readableEnded || message.destroyed) return Promise.resolve();
  return new Promise((resolve2) => {
    let left = DISCARDED;
    const end = () => {
      clearTimeout(timer);
      message.off("data", take2).off("end", end).off("error", end).off("close", end);
      resolve2();
    };
    const take2 = (chunk) => {
      left -= chunk.length;
      if (left <= 0) end();
    };
    const timer = setTimeout(end, PATIENCE2);
    message.on("data", take2).on("end", end).on("error", end).on("close", end).resume();
  });
}

// src/http/sender.ts
var isJson = (body) => typeof body === "object" && !Buffer.isBuffer(body);
var dated = { second: 0, date: (/* @__PURE__ */ new Date(0)).toUTCString() };
function dateOf(ms) {
  const second = Math.floor(ms / 1e3);
  if (dated.second !== second) dated = { second, date: new Date(ms).toUTCString() };
  return dated.date;
}
var JSON_TYPE = { "content-type": "application/json; charset=utf-8", "x-content-type-options": "nosniff" };
function serialised(response) {
  const { status, body, headers, stream, broken, notes } = response;
  if (!isJson(body)) return { status, headers: headers ?? {}, body, stream, broken, notes };
  const typed = headers ? { ...JSON_TYPE, ...headers } : JSON_TYPE;
  return { status, headers: typed, body: JSON.stringify(body), stream, broken, notes };
}
var isAnswered = ({ broken }, res) => !res.destroyed && broken !== "reset" && broken !== "hang" && broken !== "empty";
async function send(response, request, res, now) {
  const { status, body, stream, broken } = response;
  const date = dateOf(now);
  const { socket } = request.message;
  if (broken === "hang") return new Promise((resolve2) => request.signal.addEventListener("abort", () => resolve2()));
  if (broken === "reset") return void socket.resetAndDestroy();
  if (broken === "empty") return void socket.destroy();
  if (stream) {
    res.writeHead(status, { ...response.headers, date });
    return request.method === "HEAD" ? void res.end() : sendEvents(stream, res, request.signal);
  }
  const bytes = body ?? "";
  const length = Buffer.byteLength(bytes);
  const unread = hasBody(request.message) && !request.message.readableEnded;
  const headers = [];
  for (const name in response.headers) headers.push(name, response.headers[name]);
  headers.push("date", date, "content-length", String(length));
  if (unread) headers.push("connection", "close");
  res.writeHead(status, headers);
  if (broken === "truncate") {
    const half = Buffer.from(bytes).subarray(0, Math.floor(length / 2));
    res.write(half, () => socket.destroy());
    return;
  }
  if (!unread) return void res.end(request.method === "HEAD" ? void 0 : bytes);
  if (request.method === "HEAD" || length === 0) res.flushHeaders();
  else res.write(bytes);
  await discardBody(request.message);
  res.end();
}
var KEEP_AWAKE = 15e3;
async function sendEvents(stream, res, signal) {
  res.flushHeaders();
  const awake = setInterval(() => {
    if (!res.writableNeedDrain) res.write(":\n\n");
  }, KEEP_AWAKE);
  try {
    for await (const text of stream) {
      if (!res.write(text)) await drained(res, signal);
    }
  } finally {
    clearInterval(awake);
    res.end();
  }
}
var drained = (res, signal) => new Promise((resolve2) => {
  const go = () => {
    res.off("drain", go);
    signal.removeEventListener("abort", go);
    resolve2();
  };
  if (signal.aborted) return resolve2();
  res.once("drain", go);
  signal.addEventListener("abort", go, { once: true });
});

// src/http/respond.ts
function createResponder(world2, onInternalError) {
  return async (surface, match, req, res) => {
    const at = world2.clock.timestamp();
    const startedAt = performance.now();
    const params = match.found === "route" ? match.params : {};
    const request = new IncomingRequest(req, res, params, world2.closing);
    const soon = responseTo(world2, surface, match, request, onInternalError);
    const made = soon instanceof Promise ? await soon : soon;
    if (!made) return;
    const response = serialised(made);
    const scope = match.found === "route" ? match.route.operation.scope : void 0;
    enter(world2, surface, request, response, { at, duration: performance.now() - startedAt, scope, res });
    if (!res.destroyed) await send(response, request, res, world2.clock.now());
  };
}
function enter(world2, surface, request, response, { at, duration, scope, res }) {
  const { method, path, search, headers, body } = request;
  world2.journal.record({
    at,
    surface: surface.name,
    method,
    path,
    search,
    status: isAnswered(response, res) ? response.status : null,
    duration,
    client: request.client,
    client_port: request.message.socket.remotePort,
    scope,
    identity: surface.identify?.(world2, request) ?? {},
    notes: response.notes ?? {},
    request: { headers, body },
    response: { headers: response.headers, body: response.body }
  });
}
function responseTo(world2, surface, match, request, onInternalError) {
  const refused = (error) => {
    const refusal = error instanceof Refusal ? error : internal(error, onInternalError);
    const response = surface.refuse(refusal, request, world2);
    const reason = refusal.reason ?? response.notes?.reason ?? inWords(refusal);
    return { ...response, headers: { ...response.headers, ...refusal.headers }, notes: { ...response.notes, reason } };
  };
  return rescued(refused, () => {
    const added = surface.admit?.(world2, request);
    const route = match.found === "route" ? match.route : void 0;
    const respond = (refusal2) => {
      const work = () => rescued(refused, () => {
        if (refusal2) throw refusal2;
        return handle(world2, match, request);
      });
      const interception = surface.intercept?.({ world: world2, surface, request, route });
      const response = interception ? interception(work) : work();
      return added ? afterwards(response, (made) => ({ ...made, headers: { ...added, ...made.headers } })) : response;
    };
    if (!route || !hasBody(request.message)) return respond();
    const refusal = judgeHeaders(world2, surface, request, route);
    if (refusal) return respond(refusal);
    const arrival = readBody(request, surface.bodyLimit(request.path));
    return afterwards(arrival, (arrived) => arrived ? respond() : void 0);
  });
}
var afterwards = (value, next) => value instanceof Promise ? value.then(next) : next(value);
function rescued(rescue, work) {
  try {
    const done = work();
    return done instanceof Promise ? done.catch(rescue) : done;
  } catch (error) {
    return rescue(error);
  }
}
function judgeHeaders(world2, surface, request, route) {
  try {
    surface.authorize?.(world2, request, route);
    return void 0;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
function handle(world2, match, request) {
  switch (match.found) {
    case "route":
      return match.route.handler(world2, request);
    case "other methods":
      throw new Refusal("method_not_allowed", { headers: { allow: match.allow.join(", ") } });
    case "nothing":
      throw new Refusal("not_found", { reason: `There is no route ${request.path}` });
    case "undecodable":
      throw new Refusal("invalid", { message: "The path is not valid percent-encoding" });
  }
}
var inWords = ({ message, details }) => details?.length ? `${message}: ${details.map(({ path, message: message2 }) => `${path} ${message2}`.trim()).join("; ")}` : message;
function internal(error, onInternalError) {
  onInternalError(error);
  return new Refusal("internal", { reason: "An error in the emulator itself; see its standard error" });
}

// src/http/route-table.ts
var branch = () => ({ literals: /* @__PURE__ */ new Map() });
var RouteTable = class {
  #root = branch();
  add(pattern, target) {
    const names = [];
    let at = this.#root;
    for (const segment of pattern.slice(1).split("/")) {
      const name = segment.slice(1);
      if (segment.startsWith("*")) {
        at.rest = { name, target };
        return;
      }
      if (segment.startsWith(":")) {
        names.push(name);
        at.parameter ??= branch();
        at = at.parameter;
      } else {
        const next = at.literals.get(segment) ?? branch();
        at.literals.set(segment, next);
        at = next;
      }
    }
    at.end = { names, target };
  }
  find(path) {
    return below(this.#root, path, 1, []);
  }
};
function below(at, path, from, values) {
  if (from > path.length) return at.end && withParams(at.end.target, at.end.names, values);
  const slash = path.indexOf("/", from);
  const end = slash < 0 ? path.length : slash;
  const segment = path.slice(from, end);
  const literal = at.literals.get(segment);
  const found = literal && below(literal, path, end + 1, values);
  if (found) return found;
  if (at.parameter && segment !== "") {
    values.push(segment);
    const found2 = below(at.parameter, path, end + 1, values);
    values.pop();
    if (found2) return found2;
  }
  return at.rest && withParams(at.rest.target, [at.rest.name], [path.slice(from)]);
}
function withParams(target, names, values) {
  const params = {};
  try {
    names.forEach((name, index) => {
      const value = values[index];
      params[name] = value.includes("%") ? decodeURIComponent(value) : value;
    });
  } catch {
    return "undecodable";
  }
  return { target, params };
}

// src/http/router.ts
function createListener(world2, entries, onInternalError) {
  const app = express();
  app.disable("x-powered-by").disable("etag");
  const respond = createResponder(world2, onInternalError);
  const answer = ({ surface, table }, path, req, res) => {
    const found = table.find(path);
    if (found === void 0 || found === "undecodable") return respond(surface, { found: found ?? "nothing" }, req, res);
    const { routes, allow } = found.target;
    const route = routes.get(req.method ?? "");
    const match = route ? { found: "route", route, params: found.params } : { found: "other methods", allow };
    return respond(surface, match, req, res);
  };
  const handle2 = async (req, res) => {
    const path = pathOf(req);
    const entry = entries.find(({ owns }) => owns(path));
    const mounted = mountedBy.get(entry) ?? await mount(entry);
    await answer(mounted, path, req, res);
  };
  Object.defineProperty(app, "router", { value: { handle: handle2 } });
  return {
    ...classesFor(app),
    // Every request is answered: nothing is left for express's last handler, which it makes anew for each when none is given.
    listen: (req, res) => app(req, res, nothingLeft)
  };
}
var nothingLeft = () => {
};
var mountedBy = /* @__PURE__ */ new Map();
async function mount(entry) {
  const surface = await entry.load();
  const mounted = mountedBy.get(entry) ?? { surface, table: tableOf(surface) };
  mountedBy.set(entry, mounted);
  return mounted;
}
function tableOf({ routes }) {
  const places = /* @__PURE__ */ new Map();
  for (const route of routes) {
    const place = places.get(route.path) ?? { routes: /* @__PURE__ */ new Map(), allow: [] };
    places.set(route.path, place);
    for (const method of route.methods.flatMap((each) => each === "GET" ? ["GET", "HEAD"] : [each])) {
      if (!place.routes.has(method)) place.allow.push(method);
      place.routes.set(method, route);
    }
  }
  const table = new RouteTable();
  for (const [path, place] of places) table.add(path, place);
  return table;
}
function classesFor(app) {
  class AppRequest extends IncomingMessage {
  }
  class AppResponse extends ServerResponse {
  }
  Object.defineProperties(AppRequest.prototype, Object.getOwnPropertyDescriptors(express.request));
  Object.defineProperties(AppResponse.prototype, Object.getOwnPropertyDescriptors(express.response));
  Object.assign(AppRequest.prototype, { app });
  Object.assign(AppResponse.prototype, { app });
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

// src/journal/kept-body.ts
var KEPT = 64 * 1024;
function kept({ headers, body }) {
  if (body === void 0 || body.length === 0) return { headers, body: void 0, length: 0 };
  const length = Buffer.byteLength(body);
  if (length <= KEPT) return { headers, body, length };
  const start = typeof body === "string" ? Buffer.from(body).subarray(0, KEPT) : body.subarray(0, KEPT);
  return { headers, body: Buffer.from(start), length };
}

// src/journal/journal.ts
var SURPLUS = 100;
function createJournal(settings) {
  const entries = [];
  const listeners = [];
  let last = 0;
  return {
    record(exchange) {
      const { journal_size, journal_admin } = settings();
      if (exchange.surface === "admin" && !journal_admin) return;
      const { request, response } = exchange;
      const whole = Object.assign(exchange, { id: ++last, request: kept(request), response: kept(response) });
      entries.push(whole);
      if (entries.length > journal_size + SURPLUS) entries.splice(0, entries.length - journal_size);
      for (const listener of listeners) listener(whole);
    },
    entries: () => entries.slice(-settings().journal_size),
    clear: () => void entries.splice(0),
    onEntry: (listener) => void listeners.push(listener)
  };
}

// src/journal/stream.ts
var KEPT2 = { events: 2e3, bytes: 16 * 1024 * 1024 };
var PORTION = 100;
var SMALL = 500;
function createStream() {
  const kept2 = [];
  const sleepers = /* @__PURE__ */ new Set();
  let last = 0;
  let bytes = 0;
  let renewing = 0;
  const wake = () => {
    for (const resume of sleepers) resume();
    sleepers.clear();
  };
  const next = (signal) => new Promise((resolve2) => {
    const resume = () => {
      signal.removeEventListener("abort", resume);
      sleepers.delete(resume);
      resolve2();
    };
    sleepers.add(resume);
    signal.addEventListener("abort", resume, { once: true });
  });
  const publish = (type, data, size = SMALL) => {
    kept2.push({ id: ++last, type, data, size });
    bytes += size;
    while (kept2.length > KEPT2.events || bytes > KEPT2.bytes && kept2.length > 1) bytes -= kept2.shift()?.size ?? 0;
    wake();
  };
  return {
    publish,
    renew(why, work) {
      renewing++;
      try {
        return work();
      } finally {
        renewing--;
        publish("world", () => ({ why }));
      }
    },
    get tells() {
      return renewing === 0;
    },
    async *read(since = last, signal) {
      let at = since;
      while (!signal.aborted) {
        const before = (kept2[0]?.id ?? last + 1) - 1;
        const isGone = at < before || at > last;
        if (isGone) {
          const missed = Math.max(0, before - (at > last ? 0 : at));
          at = before;
          yield [{ id: at, type: "gap", data: { missed } }];
          continue;
        }
        const portion = kept2.slice(at - before, at - before + PORTION);
        if (portion.length === 0) {
          await next(signal);
          continue;
        }
        at += portion.length;
        yield portion.map(({ id, type, data }) => ({ id, type, data: data() }));
      }
    }
  };
}

// src/oauth/keys.ts
import { createHash as createHash2 } from "node:crypto";

// src/oauth/key-pairs.ts
import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";

// src/oauth/test-keys.json
var test_keys_default = [
  {
    kty: "RSA",
    n: "oo0x3_2ovU1ycvR85_CjntNEcK1n7guCKrO0YfaqPD__MtwU-LV8NWNCv7LOgI5Z6vQLiJVTnrb5UqKqOPZP_ArJgiW8CuyfolhP3EBX9lmxFOZyg2E3OQILJcgH1FqCfwDznVFEy0-N5IiEWEvMDse8P4QFfRUMul8H00Om0OI3nZ8bU8W1wqTBqHO3pkOo7M7BrqekODz_LcGF5vcbtlG1-hM6s34ZTEKR9l0MdrlHiPyMsRjxN33-ickEMWiqAN2X8WCL4SwpQQhjGq_DxriLgVDpaAEMJv77Pug5fCr1aYf_H3Mf4EVOebaf8_xOKjsWrs7UXR4PFa9LaJywjw",
    e: "AQAB",
    d: "BHTJjj2ea_of0-jwepLwKtKTsXiLJdkGAsY4xrlJwxQrg0wP_UzABQzX2Gz4Xkjxeqe4zq0c83ftNU2N7xYDvmqpSekZpFTYIx9PBkBE9LI7IkZdNjYZPbuqVgYucvLfKvbittP-V8_Jgk3og6FW3h_FRuvBh32s3-yNvQBNJiiYDjJrxs7J8rSrBV9Awe5Qisi8l7ysi5KE990iIvIjzOyYH1BVDmFPjPX3oONcLLdfZU3iPcmykZRoK5oZp-xoC6xZGK9LeARchKbFOkIv84lVXGnoiv2eCuC2X7yjXbESei2TJTkt0b_VRcgrInPB_ZMhXTXzVy2xlHCcAU4A4Q",
    p: "3U6VfyuzNOWO_ZnDCd7H3-z0O3tNnXNOIPbJEpTjbllZY_5GGgcwoSDz4ZMbKkyL9Umzf1_K-i688Jc3lLIks4IUgU9M1W1_f90J9LjdLL18XmN_XsN1GXMfc0HNBESCicV5oPOxuzwrrEAEJwUHlAS5YLak1SisbhdkiQx2e58",
    q: "vAiodmdBsFu_SdKMAH_-78tGRQC-Ql9Aecvh5fyVUCdTO_Z6Nhz8EQiYjnutJHZ8X5wEvDlCNEcW_2mVzY_jjexa2Ry-Igm9MRpCorkb48yL1Da6hDTQF3jJz6lBrZYNaGSJpuuuGWrUlqKSExuzId6e8VAFi3-vlL8GrU9PpRE",
    dp: "MU04cMRDgB1D5atDkAdZb8FSB45IlDMDzMQttz4EDKlLCMO0ykefxcWZjz8-ZgX3iAWLP20Pwvx2iwKlFzM4ieUIvGX2L_Xc2ZdciHBGlZkBA-YWkf3pMGo9L2gRTEoW6qpblkez6IpXEGCSjD7KmWcUBT-rKPGOuFftxbpJCvE",
    dq: "lfsJ9Dd0S-lCcO3BwfxWKoqnKA7psyMq2HtpWfrYVjCn0WJOJK-F10hV9wBrIHRpzBE0LbY2OmCh1WQwmuA0j1WBOUAV4CyIfYwGrqibuF3FAqYMq7s8aBxuTHci7gSL-UKIEV5XZeqyWtydSySDA3cArFY5tgVI1YpxFvf1_SE",
    qi: "gPozNHjTimhQ3IOvgtMR07otVVqv6WqOr_e8iV5HhrMJGytZFEMHFzve6D4DZbFXQdkrQ385Ddf9No9KAffxwcCw734LAS7JnlHRWCv-Qkp11xV9HeN8Cjynqhc5tuf7VIeFynErVICXKOUaut7JXA9w9xNm2neMdWCpX7DaMSk"
  },
  {
    kty: "RSA",
    n: "tGZc1P0sUNxoMQxv31nvAjsFFhiRZ_0umkzxakO2WiApfMQujO3iwLuqzipgL9wIj4yo9pungG8x0oqbOWa9ZNKX_dWQu2-PBI-7ct5J078U7pXBhEUaCik58i3f_79Rp_Xt7i6VZ_QMVrgPhulsGPSD8796Y-6NqTjLcsmqcorHOdaj2hQY6MNKD40SZEA9Ucr0S4G11TkxzBU4Pc6J-4JGIxUPspvKoxn_j-X4-UECNcJId6FJ0NWPX7h5nknouh6NOhgmqROM6pUbsNNrL2sH9KrxUeGXTl6kWtZ5_5EU06dKhDmuS3EVyIWzInRI3T8ti6RieySPaf69-wTtMw",
    e: "AQAB",
    d: "Du-ktjIjlhEeahhnnZxfS697e2z1HDq1pF5ESxiOttKP3_3va4kTBTZK7SV_PKctz3jSN0ZqIJoHckrTxEJlFVc5JCT0OT8Caw3D2grDUQ4Y9RIE6WckdOMdImSGKP4VpcYYxefC3gFld7tm9oDjPtB_D-wMFzPVzcUSiMJffUeSME2pNTqOtgQRGJqvT96vZvOPr4w06VBzgkrwX1yObE8NLJrfk3v18dKsAwJn7UnS-w1zCB153E2Kg8r3kHkaJaQ3dqX1TQFXXfYN5yKrrJje186W3gfM9v7t20c0jzBYV9k4_YgTFqsoYNm5JKvUlAT0fIf45N_87b5FZm_M-Q",
    p: "8dGuyTIo0ie5Hg3f4f0CgNJ9KCZz8J94ycrFIKfNKHl0V1lX3h9re5_7RB9Cw0Z_TeuVzWaIsuCMdHRK58lzC-0v_C5syc5QrSM87f-z4ZismCma0V0ZpKyWLKkENEOZj-BNVKwZKNMuCRuqfg-qzh1fEwdACYPX2t168sC256s",
    q: "vvqfJ_SByAuxVSOOktheNNwNA4EtNTjlP19HGymBcMqDgmBp3v1NhU_LkUWeWTvqBAnDV5z356Y8yl5i2QmPIn8drzRMmvfIs7yTvUrPrmKz85g2JxHkaUw1nB8YZxv1M4nFMnxuTOKxEdFAGJKVQk-qyTCkH5f6sXUInavFaJk",
    dp: "z4W0y_EB2yg_0yzw_w2UAl2hDr3BLbSNgg9DkLywcZWZZATGRVcNdHBcv59cOhzbz1Dno_fkRC40GxRZ3ASjeI66aV6l-aHW1l6xQUX5ZxcQtxytQhL1mL6LuhPqCbghprlFY-61QLXKggJ-E-T6HhxSpQ_JwuCkc60yf_UmgjU",
    dq: "PBgEqL_pbpcvT8kGffKTgjKT7bxiC1NB37UNXOCsmF9BDm9kIQS3tfEr7yRm9VFDC84-p3z_DOdkTZFxrTWy0noJTy43xLOfdd8q5e96djccxNPqhlS8-N1AKUYnmZpUh8kcQgyhcJQMf7zGXHUTfnAvH2us2TwraFeZRHPehFE",
    qi: "bLfamylEuILouG2F8wrO2_yfHrenli1b3xPvszwYr4bVdnyVy0Ysgovb6mBP7mW-YgDp_j5a1hkCLl-SXE-sQMNUQEwqJfXlyfNTymYsMCYuE6SPWIXdo_M_pEyj8LwbuB5-HSVFiMEEv64IE1IIAGBHbh0QSicCnjdfu78M6SA"
  },
  {
    kty: "RSA",
    n: "rtLVqdlbc4i7gQRdIqNVmbh7gpvXzyOlx-TM8me3ySS9CoR6AHdqXJuDOgkeNjvcu7bw3nqkQkFcwqD85ONfs8VaofMLqnUaZsLI4nQnmg4D_47GYqmjU_4EzuX4v_yAK4cKI8n7MBYC31AsRjjtdfx2Oe85YWyHaX66QP0ZFafJmuAaAF-gPiOa5ss0Yv7L3Jqpnwc2AUxJ4I9zxpDb1Obf0orrhYJzFHDhVQybqbkOLZnf3dCLFBWzuERY4E1kXfi_FcWMjAnXizAyUj-ffGN4hanGJALMly8eB9034bD_PQrNJJQc1MYrwvB1gElFFJ40KXABlJbGcdTRy9m8xQ",
    e: "AQAB",
    d: "BEK0NB-o2zl-hlbNfmjKaoTSf8FUng_4TnC4JhU2OaxiJOWnHxXcOx8LjBGACHSLhiQNVKdIbwY3stVNERI_Xc0KvJdyqEyk8oms7yOewwah6tAJosGPrudOl8M9z71qbYUjqvGwv4A5QVbrZLxLOFzJNK6_AqSQydbJIgiv5WwQZuIQWoCYHph9Mu9FQ31zCnmYU-uRmtYNBjVzGX96YJVKkiyQu_3e6ndV1HbkYxVLUc25CvdPRFAisZAs3xpV363oc6pOhRHKV4Q6IZ7f6Mq4r-HWJWNauTHJBREAp-lnvbT-rFUODr-zQ51Xv5kfOcLCboBC4mgQbWf1VGVFoQ",
    p: "3GY1mewbvO2kA8iaE1bHDFQrnpzE_Y21-QCLxffZl_IhdrH86PmOrQCI-p2qoCQg3orHwjrcCKGiDA6Ckk8YUDIrCRAvA6Fed9LcF9mhYlgGCtOWl5N4nexiCf9t7KJh7bkeDyCxUFpw5aRZ03xcL0nAytAoWjBfkbyxocH8UGE",
    q: "yxADOAnmpxG698ZeHSRaGddojfaI2AohbeVnu1NPBuw9qTBDcoj4XMIU1gEvmPDG_5wmmoYQnncmZFRpB5SIzTWWT_Yo0gCkMsNZLhzvfGMN-MUdvSVT6hqr166DOZWK5eaEnih5VU-AhP9Dv6YCgtfvn9CFrEmcesjTIm0tluU",
    dp: "kRGRnHPluhBtUbQ7fhkzQTEx2N_1ZbNeILy0Q6UlCzdrwVXcU3jX6ZWdk-Ati-Tb4b9VRso5RFEneWoflbAMH9U1sGx_lZMkvBgFmIk-CZ5Is92blL-Tt9b8nPoM36HudWvQlkJ9k5dEElOAcIy9nL6d8KDcvqhyb1nVTdSCgGE",
    dq: "HvDnrKhFjvtyo8KEIKijWgCqm8cO_uw8P8SO08pT5lgk5RzHijI4tdmU1y8DE6jMibI_Z5g5_AtnvC3oexE07x_VMYXunmEeo-WENzSNgUSOonNWnrWLXcaGnKyoriONMI65cmf0ZP1iNeG3bwJaq5k_l_hsBd6Ji2QCV-KO6ck",
    qi: "2hG43KM80KhOhDhILt71UVHuJvMEPxFGZolhRG-Wdf9fyt16lCRTLkGWTvKxt1xONSXGymWMdr8MbQL0xsH15BGMIBnmJpK1RlfCeCVJlI4e4Yb8bBrxEbf4zI3KEgUuSgAAg01wzXtDKzTSFdPqHKQOtQcOyjS7ghbtx485kU4"
  },
  {
    kty: "RSA",
    n: "tr69YKUXWHrv6aHAB0zw_vDlv0AqFXzbvd9SDfGVGmJXL_gJCm81KbiJ5GPb-bd6GQG0oz4S4sbB8BqCWdDbWP15mVwBRQuIrDTWorN_Hvr9ymnezYwW_S_x9IwSShz1IbSMXq_w7SFZQ2fCP5anxbrNue3Sux7nvnalSMjn7Jf6hFxwdW_JhBh2H0uPvfG0nz-r9KADY32tzR6Kw0TJ84ycUZP9WEdpahwuh2X6AQnVlbvvhiZoUQHBJNL-7Z1KRGjwzKG7DVyukl7lPlzFemG4RlO5vbSjAPZf3DQFlUzL6Vs2F_NgQJv98kA4_Zj009hOgda-lk4J9O4NGyE3ZQ",
    e: "AQAB",
    d: "A0Mkj1LJae0C3FEAptyJyW97b7FOvO52TxMMlBjA7V-VqE0xj21zn77NtzKVbQr9ThzYqQw8nHbFIWgtp5N2EFyEeABqDaY0NqMgqdsxzSAbcP3iBANj91Ki2r5p_92dYpBpLr1eq07E28zGRmiLo4gmR7okubak-1oe_u72AEAQOO0k0cCsdO8Ag7EHDwzYpevaShUhrPYVnC24annJTphndBpseYf8akgFf07bkcupQR2qXlgBe5tFwbRIHk-qAqaQQkx5zN8NBk7FR7v0YVupc2KXNQWk8d-7d_w_HckT8ZeEIvrInbPXWwmhWQf2nLT2W7fx0_5yVyAosMNTew",
    p: "4l_MVWDICCmnzy75w8jrVubrjsgGt1DVruzeA8-W2faIi3wqWGUJghArZhsJePCuXfyEFWAqAme7lH3lFvX0ZLZFW7EcwLSy9Gcq2_BKak1Y3udXzwy8y-7HDi_UBVOQGMPZBPpkRYCBxj0ubxcWJ2K6sOXl5dEoEgeduONnr_s",
    q: "zqk8vYf3yB4rjREPsprl-xXFrQzV5Tk3LQC3eIdqpZkPsyoow0GoYi58eUha53NJn28F-GjVQ2Y_Yg2M2kafqO1AI33Q8T3rUFX0hcRmSinfHIcSEXzD-oKqNXvvtRKFU80Hu8nU93PoJzfOLkI4xMfJ1nxD4vfOTDeQVHj8OB8",
    dp: "P0UBKjezkLx7v2dkvXjRdedynOSBJAk-v_ZKEwyZH_BMt5eLiksq_iQgzRfvbNLwGSqzi_nlo-h0QAtz1RgHJ4LeHcOBwsZ-YdrX2sLtOYrGtP45x4_K0MC699ccTiTN2G4coMyO6_H_03VUHg54zadFgJ2wxKvRpEBmr783QrM",
    dq: "X9yhEEnB5lIYYZdIcNDpXU78IwmRLoMb1QRAFui5z5bwcWtc_TW3pdNqadfmUvZncE1Pt6rpQhprzE_8xkN8TB_BYLU79quCPAGjK2mvCTfjBpihCPuW7N0vlx-mUZgFwJmavMEiyKY7SfXY7hxJuP3z4kpCM0Y_q5samBSG6oE",
    qi: "CXbIxIxC2gP_QHq4nfxLBogimaA6blUXdxgsgWRQEX2RWGUCYrDvXmhYZu4BtERQHyKrwI8wRXy4ibS8TcCHg-zMPUEp1txC9QozMdc0_7c54SZQ5v8_LWXBoxlLRMNKcUmGXAYAHU6Lih4WHN0_peXychPOx5wHLcpeXGkBgY8"
  },
  {
    kty: "RSA",
    n: "uQi_pEIJo41CsTRMpCec9jE-okisdW_1_yLX75uO8YOHpuc4NMjkrsMod4zW0Wmun1MvKYxZEy576XaXO7dHDakTPSIIahFYF-ZusMyY4Glkt4_lWf1SSrwvoCNamZfxAg1AgARCbVrDk7h7VEQ1R2t7ARSi3vGSG4tfxf5pmgjuyyKZBsPabOh0MouhJbRVqtCA3xG5PkOT4ro63jghnFDkEQzvhnyQDbFYN0AMci0SJ6im_bvV3Gyn2XLxLxW4w0y55Rby2aYrFJXxyw2eELnSvI43sRnxfRjHJiMQPBl30q4CEbsSxkr1rq5pCjV9D3B8oNhrFwlh2xpAh_AGpw",
    e: "AQAB",
    d: "FvMbVeOs72Cna3Qpp1iUcsKj2pv56-zxjW4Ea18XaSQfsJdQFNfv6S8id0V8JWgetPsrx9L0_1iOHORNGKaARRT54mS0t3ckPn6hrwMJWRgpWk0aLMGrMcLKg2mvJIrAZTlAjUA5_vc5d7pzbX2yQAP4MyecldtPfGQagmOuNGD91gwXEG8l-IT7JEmjx2iMc7v436IigFfSfV3Wu98DyGjV-ZpJY_E6xAWryNo9bZKYpwBvflYjoTZJcwknqRYvMSs8inb3jHxREQG58sCke3b-XhLx-acsV2nQbMnqk8slnCGjucJt3JcgmaLNn7kxqQXjbwl7-lwmbiERU4ZZcQ",
    p: "9uATsLxjpA-yVT3Sed5fkI09WjiRG97u9rkF5CJwJ4LHnaEXX8wADvg6RuuRvix89WvGZaDpNe4dnooNrx-PgjfF8AtzI0Crx5qvmMyXwwwXjlrMYzv1SWJpXbIivQe6T06OinUjzgs-UzT5uCaXpyBvg8fs1D3_s0e0KY8Ypnc",
    q: "v9-IoPCYWoeisRyaCP7aU0FeyeGRwlDROcb5y8JS-K9VlMfqANkgWIsA0C5HxI3nOEnHH4-SRH4M8NxMBms9c-6DyjjEhGQekt1ZWY_BcyWn_RO4eX_cvXBUHZSeUcvmDPc54SrcWNbLyEKUEhRD1EHxKdKz6DvImx6OPwOPPVE",
    dp: "wJy7QBz7sLj-bjs5yBOTg_huccHIlXIuBxj8W63yyyDiFT3mOruzH_rTnRmWMEYNiH154TjWO1l4ioUzf_qjwPk62bpVLp_6ZlVtw0186pS4nDyDUrko-wRpKM0fBVTOK6oi1Cvor41eJxUh8GdL0v0fhDWrtTxaD8pV6kbW-Kk",
    dq: "qCijmNFj5SusdWboxOt-sqq_BVWxJkkoJWfycxabGyKncZ6HwjiI9bDVhJ6a_XOUaquWXV25xldmxg18f7-q-xjV3fxElvccKIDgFvM7isw83ztSWQGrl0eEIOyomG2H8GMYEfQ7a4zMynU3SmUCUVt9nbbxP55toS11Y1qeRhE",
    qi: "ibhxctwGu6vmtIytOmezb1qv3iqXLETC3AEWH9eWRFFv4hwTDxypNAq34cyYk5tgJ-UuumxHbh59o_W0rEa2Pi9dlm3MWNE13iP13YJmSvl0tZ0md96PVN-l9GFPWquxMKwglKsnFqbmWirK5SjE9oxOrdyX6sw70nR88X7Peq0"
  },
  {
    kty: "RSA",
    n: "os4IqNuV3wqegmDj30C0drm3qjwSIwgxo3WAGkkaoY5QDyjrlglcQ63I3Kr5HD2-y0xJ6t5UCR22WcZsdf-2jTzDRjdudyFBEWjkgi_Ajnr4SCde_jiQHHchhXf8hJRLl28WOZBXoxN9BQ0vUpakr0STT1Dhhq5ls-9YHDOzr6y3Jlui41BqZGwbXSZ_5cYYa_erHRbj7o25A34Pbu8kt4dDnqjn_S9uiVborBixJLmH-3bT1wLoOCEJpG3eKBzRqHjmS3TWFunb08PlES__WVgvUVq1P0_ebL4qHi2-yoyIuZ936lVeIXre7bPNdVMUVJT4d9JOTdKqyzyZn3yhcw",
    e: "AQAB",
    d: "BFVorJn_wMqnEoBiwHAX_asO5QSpVO5kZ936VXjJsTA5GFY2Ay3nm1OWa61PaT2JhR7YPtzBLubwEi6yd2eho9vQtN9H3PrxIPYCUybTQNesITuPD0RRLbjMFyHtAlhyNKs707dwZcJgixBhSJkC9DlmlG9qOWwN__6ogUOtDkmHSRG8TUWoRQgBUxSTQwDnIEwzg6Hzr9eUV1IS_jam-igca0vuLCIPtyrP4HY_aOWi7xcMuFyCX5-pUvWvgjCcF5U10zS2f1-F49GAeYk9x0mD1QftuVpxUwoUvURox-RuYCsiaUPje8TYAVVxL-rHe9sghr8zkgCM3a0VroB-1Q",
    p: "2OR_lkoPPSR0apiZyvq7YmZC3NaaG118scwtPpwZRUVwv3rn5OrH8UKzE3-yHbxgGE8CTS14XcDGxjpKUwXjpGirzc2IZYB8ckIkKh3Vh1TVkIwKM2lqtFPaB2cXwts2N2mPRuTg6L7y0bz2c9yVkSZn-UlgoY9amM-DmZ4ahd8",
    q: "wCjo1cmdG4oIzsPUosiIO-ZBH5j21Hu_xuHZGPsYnV08qMQ-aWsm3pvlWUdiQ_8NOduQNzY84JZPocFOGtEzoeJ_xghM5WKyMrVyMhqAzAarGtaqbPTCzLIJEy6prYcdok1rmmZ75_ibA9iNbx2f4lNu50e5dfpALdT9HIjzju0",
    dp: "FbhUOpWyDvpumhosFJKlX0ZEXd8z0Ze8HAYJZeK1-STqFJLXVCpa2YNHcaVxDd9GdEi9P0NVcXYTsdg2hzfowxckVVjG1vtV-w86lekk8AeD15TelKVy5RoclG8zhvTy6futOHlFOKmeoXhd6d5mMAH7mZBKmANGHFVzpVea6ls",
    dq: "JKRoacPtSoAS1-Kt3HCi0dFBX9YaU0BZvIH6lPHkqrVJyODLCe0d11sg69pZ2Z98FSlSIcUc7LKc8rpau3BjCR6YwNl6WE9urY69_OHi54TqAc8nZmlx7_iPFHJUdruKIhXjS-j4_a4BWUVlCug6Qb0pK78YlW-n51VzAor27q0",
    qi: "Cyu9FXQSPV4q3Z04ZXqoSPN8NHi9oi7Ox_JUgjbzJNgSmhtf-6e0tPY0sSf62wCnRqzRv8cCfbR7ducR2pm49uo7xAWjrDMTL5jSwZzYOU6hBbGtECQbXIo8f08sGf4K7hR-EEL7rMRxRV14FRiw5h590oTFUYAIzEQNc1Z1v9Q"
  }
];

// src/oauth/key-pairs.ts
var pairOf = (jwk) => ({
  private_jwk: jwk,
  public_jwk: { kty: jwk.kty, n: jwk.n, e: jwk.e }
});
var testKeyPair = (number) => pairOf(test_keys_default[number % test_keys_default.length]);
var spare;
function takeKeyPair() {
  const taken = spare ?? makeKeyPair();
  spare = void 0;
  return taken;
}
function giveBackKeyPair(pair) {
  spare ??= pair;
}
var generate = promisify(generateKeyPair);
function makeKeyPair() {
  const made = generate("rsa", { modulusLength: 2048, publicExponent: 65537 }).then(
    ({ privateKey }) => pairOf(privateKey.export({ format: "jwk" }))
  );
  made.catch(() => void 0);
  return made;
}

// src/oauth/keys.ts
function createKeyRing(world2) {
  const pairs = /* @__PURE__ */ new Map();
  let first;
  const current = () => [...world2().store.keys.all].filter(({ retired }) => !retired).reverse();
  const add = (kid, pair, signs_from) => {
    const { store, clock } = world2();
    return store.change((tx) => {
      const { private_jwk = {}, public_jwk = {} } = pair ?? {};
      const dated2 = { id: kid, sequence: tx.next(), created_at: clock.timestamp() };
      const record2 = { ...dated2, private_jwk, public_jwk, retired: false, ...signs_from && { signs_from } };
      tx.put("keys", record2);
      return record2;
    });
  };
  const addSeeded = (seed, signs_from) => {
    const number = world2().store.keys.all.size;
    const start = createHash2("sha256").update(seed).digest().readUInt32BE();
    const kid = createHash2("sha256").update(`${seed}:${number}`).digest("base64url").slice(0, 16);
    return add(kid, testKeyPair(start + number), signs_from);
  };
  const addFirst = () => {
    const { settings, random } = world2();
    if (settings.seed !== void 0) return addSeeded(settings.seed);
    first ??= { pair: takeKeyPair(), kid: void 0 };
    first.kid ??= random.id();
    pairs.set(first.kid, first.pair);
    return add(first.kid, void 0);
  };
  const filled = async (key) => {
    if (key.public_jwk.n) return key;
    const pending = pairs.get(key.id) ?? takeKeyPair();
    pairs.set(key.id, pending);
    const pair = await pending;
    const { store } = world2();
    const now = store.keys.get(key.id);
    if (now && !now.public_jwk.n) store.change((tx) => tx.put("keys", { ...now, ...pair }));
    return { ...key, ...pair };
  };
  const ensured = () => {
    const keys = current();
    return keys.length > 0 ? keys : [addFirst()];
  };
  return {
    prepare() {
      const { settings, store } = world2();
      if (settings.seed === void 0 && store.keys.all.size === 0) first = { pair: takeKeyPair(), kid: void 0 };
    },
    signingKey() {
      const keys = ensured();
      const now = world2().clock.timestamp();
      const signs = keys.find(({ signs_from }) => signs_from === void 0 || signs_from <= now);
      return filled(signs ?? keys.at(-1));
    },
    published: () => Promise.all(ensured().map(filled)),
    rotate({ retire, after }) {
      const { store, settings, random, clock } = world2();
      const signs_from = after === void 0 ? void 0 : clock.timestamp(after);
      return store.change((tx) => {
        const earlier = ensured();
        if (retire) for (const key of earlier) tx.put("keys", { ...key, retired: true });
        const retired = retire ? earlier.map(({ id }) => id) : [];
        if (settings.seed !== void 0) return { key: addSeeded(settings.seed, signs_from), retired };
        const kid = random.id();
        pairs.set(kid, takeKeyPair());
        return { key: add(kid, void 0, signs_from), retired };
      });
    },
    close() {
      if (first && first.kid === void 0) giveBackKeyPair(first.pair);
      first = void 0;
    }
  };
}

// src/store/history.ts
import { isDeepStrictEqual } from "node:util";
var History = class {
  /** @param now the record as it is in the present state. */
  constructor(now) {
    this.now = now;
  }
  now;
  #marks = /* @__PURE__ */ new Map();
  #present = { names: 0, edges: /* @__PURE__ */ new Set() };
  /** Notes that a record has changed. */
  note(collection, id, before, after) {
    const edge = this.#edgeOfPresent();
    if (!edge) return;
    const side = sideOf(edge, this.#present);
    set(edge, side, { collection, id, near: after, far: before });
  }
  /** Names the present state; a name that is taken moves here. */
  mark(name, created_at, counters) {
    this.forget(name);
    const edge = this.#edgeOfPresent();
    let state = edge?.differences.size === 0 ? endOf(edge, this.#present) : void 0;
    if (!state) {
      state = this.#present;
      this.#present = { names: 0, edges: /* @__PURE__ */ new Set() };
      join(state, this.#present);
    }
    state.names++;
    this.#marks.set(name, { state, created_at, counters });
  }
  /** Makes a named state one without that record, which the present state has. Call it right after `mark`. */
  leaveOut(collection, id) {
    this.note(collection, id, null, this.now(collection, id));
  }
  /** Takes a name away; false when there is none. */
  forget(name) {
    const mark = this.#marks.get(name);
    if (!mark) return false;
    this.#marks.delete(name);
    mark.state.names--;
    this.#simplify(mark.state);
    return true;
  }
  /** What must be done to get from here to a named state; undefined when there is none. */
  stepsTo(name) {
    const mark = this.#marks.get(name);
    if (!mark) return void 0;
    const steps = /* @__PURE__ */ new Map();
    let from = this.#present;
    for (const edge of this.#wayTo(mark.state)) {
      const far = 1 - sideOf(edge, from);
      for (const [key, { collection, id, sides }] of edge.differences) {
        steps.set(key, { collection, id, record: sides[far] });
      }
      from = endOf(edge, from);
    }
    return [...steps.values()].filter(({ collection, id, record: record2 }) => !same(record2, this.now(collection, id)));
  }
  /** Call it when the steps to a named state have been done: that is where the present state now begins. */
  arrived(name) {
    const target = this.#marks.get(name)?.state;
    if (!target) return;
    const left = this.#edgeOfPresent();
    const origin = left && endOf(left, this.#present);
    if (left) cut(left);
    this.#present = { names: 0, edges: /* @__PURE__ */ new Set() };
    join(target, this.#present);
    if (origin) this.#simplify(origin);
  }
  /** Every name, in the order in which they were given, with the number of records that differ from the present. */
  list() {
    const counts = this.#countAll();
    return [...this.#marks].map(([name, { created_at, state }]) => ({
      name,
      created_at,
      changes: counts.get(state) ?? 0
    }));
  }
  /** What was said of a named state; undefined when there is none. */
  at(name) {
    return this.#marks.get(name);
  }
  #edgeOfPresent() {
    const [edge] = this.#present.edges;
    return edge;
  }
  /** The edges from the present state to another, in order. */
  #wayTo(target) {
    const cameBy = /* @__PURE__ */ new Map([[this.#present, void 0]]);
    const open2 = [this.#present];
    for (let state = open2.pop(); state && state !== target; state = open2.pop()) {
      for (const edge of state.edges) {
        const next = endOf(edge, state);
        if (cameBy.has(next)) continue;
        cameBy.set(next, edge);
        open2.push(next);
      }
    }
    const way = [];
    for (let state = target, edge = cameBy.get(state); edge; edge = cameBy.get(state)) {
      way.unshift(edge);
      state = endOf(edge, state);
    }
    return way;
  }
  /** The number of differing records for every state: one walk over the tree, doing and undoing what each edge says. */
  #countAll() {
    const counts = /* @__PURE__ */ new Map();
    const values = /* @__PURE__ */ new Map();
    let differing = 0;
    const pass = (edge, side) => {
      for (const [key, { collection, id, sides }] of edge.differences) {
        const now = this.now(collection, id);
        if (values.has(key) && !same(values.get(key) ?? null, now)) differing--;
        const value = sides[side];
        values.set(key, value);
        if (!same(value, now)) differing++;
      }
    };
    const open2 = [{ state: this.#present }];
    for (let visit = open2.pop(); visit; visit = open2.pop()) {
      const { state, by, leaving } = visit;
      if (leaving) {
        if (by) pass(by, 1 - sideOf(by, state));
        continue;
      }
      if (by) pass(by, sideOf(by, state));
      counts.set(state, differing);
      open2.push({ ...visit, leaving: true });
      for (const edge of state.edges) if (edge !== by) open2.push({ state: endOf(edge, state), by: edge });
    }
    return counts;
  }
  /** Takes a state out of the tree that has no name and that no way needs. */
  #simplify(state) {
    if (state.names > 0 || state === this.#present) return;
    const [one, other] = state.edges;
    if (one && state.edges.size === 1) {
      const neighbour = endOf(one, state);
      cut(one);
      this.#simplify(neighbour);
    } else if (one && other && state.edges.size === 2) merge(state, one, other);
  }
};
var sideOf = (edge, state) => edge.ends[0] === state ? 0 : 1;
var endOf = (edge, from) => edge.ends[1 - sideOf(edge, from)];
function join(a, b) {
  const edge = { ends: [a, b], differences: /* @__PURE__ */ new Map() };
  a.edges.add(edge);
  b.edges.add(edge);
}
function cut(edge) {
  for (const end of edge.ends) end.edges.delete(edge);
}
function merge(state, one, other) {
  const [larger, smaller] = one.differences.size >= other.differences.size ? [one, other] : [other, one];
  const end = endOf(smaller, state);
  const side = sideOf(larger, state);
  const far = 1 - sideOf(smaller, state);
  for (const { collection, id, sides } of smaller.differences.values()) {
    set(larger, side, { collection, id, near: sides[far], far: sides[1 - far] });
  }
  cut(smaller);
  state.edges.delete(larger);
  larger.ends[side] = end;
  end.edges.add(larger);
}
function set(edge, side, {
  collection,
  id,
  near,
  far
}) {
  const key = `${collection}/${id}`;
  const known = edge.differences.get(key);
  if (known) {
    known.sides[side] = near;
    if (same(known.sides[0], known.sides[1])) edge.differences.delete(key);
  } else if (!same(near, far)) {
    edge.differences.set(key, { collection, id, sides: side === 0 ? [near, far] : [far, near] });
  }
}
var same = (a, b) => a === b || a !== null && b !== null && isDeepStrictEqual(a, b);

// src/store/store.ts
function createStore({ kinds: kinds2, random, durability }) {
  const collections = Object.fromEntries(
    Object.entries(kinds2).map(([name, { indexes }]) => [name, new Collection(indexes)])
  );
  const history = new History((collection, id) => collections[collection].get(id) ?? null);
  const listeners = /* @__PURE__ */ new Set();
  let sequence = 0;
  let open2;
  const write = (name, id, record2) => collections[name].write(id, record2);
  const transaction = {
    put(collection, record2) {
      const before = write(collection, record2.id, record2) ?? null;
      open2?.push({ collection, id: record2.id, before, after: record2 });
    },
    remove(collection, id) {
      const before = write(collection, id, void 0);
      if (before) open2?.push({ collection, id, before, after: null });
    },
    removeWhole(collection, id) {
      for (const [name, { goesWith }] of Object.entries(kinds2)) {
        const index = goesWith[collection];
        if (index === void 0) continue;
        const parts = collections[name].in(index, id);
        for (const part of [...parts]) transaction.removeWhole(name, part.id);
      }
      transaction.remove(collection, id);
    },
    next: () => ++sequence
  };
  const counters = () => ({ sequence, draws: random.draws });
  const make = (work) => {
    const changes = [];
    const before = counters();
    open2 = changes;
    try {
      const result = work(transaction);
      if (changes.length > 0) durability?.append(changes, counters());
      return { result, changes };
    } catch (error) {
      for (const { collection, id, before: before2 } of changes.toReversed()) write(collection, id, before2 ?? void 0);
      sequence = before.sequence;
      random.draws = before.draws;
      throw error;
    } finally {
      open2 = void 0;
    }
  };
  const tell = (changes) => {
    if (changes.length > 0) for (const listener of listeners) listener(changes);
  };
  return {
    ...collections,
    /** How many records there are of each kind that is counted. */
    counts: () => Object.fromEntries(
      Object.entries(kinds2).filter(([, { counted }]) => counted).map(([name]) => [name, collections[name].all.size])
    ),
    /** When a record of that collection ended or will end by itself; null when it does not. */
    endOf: (collection, record2) => kinds2[collection].endsAt?.(record2) ?? null,
    /**
     * Makes a change: synchronous, all or nothing. When `work` throws, or the change cannot be made durable, every
     * record is as it was and the error goes on to the caller. A change within a change is part of the outer one.
     */
    change(work) {
      if (open2) return work(transaction);
      const { result, changes } = make(work);
      for (const { collection, id, before, after } of changes) history.note(collection, id, before, after);
      tell(changes);
      return result;
    },
    /** Fills an empty store, unrecorded: what a file or a fixture document held. */
    load(records, at) {
      for (const [name, list] of Object.entries(records)) {
        ;
        collections[name].load(list);
      }
      sequence = at.sequence;
      random.draws = at.draws;
    },
    counters,
    /** Sets the counters to those of a document that is the whole world. */
    setCounters(to) {
      sequence = to.sequence;
      random.draws = to.draws;
    },
    /** Calls `listener` with every change after it is made; gives back what stops that. */
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /**
     * Names the present state. A name that is taken is moved here.
     * @param without records that the named state has not: what is made right after it, and written together with it.
     */
    mark(name, created_at, without = []) {
      history.mark(name, created_at, counters());
      for (const [collection, id] of without) history.leaveOut(collection, id);
    },
    /** Goes to a named state, back or forward; costs what differs between here and there. False when there is none. */
    restore(name) {
      const steps = history.stepsTo(name);
      const at = history.at(name);
      if (!steps || !at) return false;
      const { changes } = make((tx) => {
        for (const { collection, id, record: record2 } of steps) {
          if (record2) tx.put(collection, record2);
          else tx.remove(collection, id);
        }
        sequence = at.counters.sequence;
        random.draws = at.counters.draws;
      });
      history.arrived(name);
      tell(changes);
      return true;
    },
    forget: (name) => history.forget(name),
    /** Every named state, in the order in which they were named, with the number of records that differ from it now. */
    marks: () => history.list(),
    /** One of them; costs what differs on the way there. */
    markNamed(name) {
      const at = history.at(name);
      return at && { name, created_at: at.created_at, changes: history.stepsTo(name)?.length ?? 0 };
    },
    /** Every record, oldest first in each collection. */
    *records() {
      for (const [name, collection] of Object.entries(collections)) {
        for (const record2 of collection.all) yield [name, record2];
      }
    }
  };
}

// src/store/store-file.ts
import {
  closeSync as closeSync2,
  existsSync as existsSync2,
  openSync as openSync2,
  readSync,
  renameSync as renameSync3,
  rmSync as rmSync2,
  statSync as statSync2,
  truncateSync,
  writeFileSync as writeFileSync2,
  writeSync
} from "node:fs";
import { Worker } from "node:worker_threads";

// src/store/fold-files.ts
import { open, readFile, rm, stat } from "node:fs/promises";
import { basename, dirname, join as join2 } from "node:path";
import { Low } from "lowdb";
import { DataFile } from "lowdb/node";

// src/store/seal.ts
import { createHash as createHash3 } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
var FIELD = '{\n  "sealed": "';
var AFTER = '",\n';
var DIGEST_LENGTH = 64;
var digestOf = (rest) => createHash3("sha256").update(rest).digest("hex");
function sealed(document2) {
  const rest = JSON.stringify(document2, null, 2).slice("{\n".length);
  return `${FIELD}${digestOf(rest)}${AFTER}${rest}`;
}
function readSealed(file, version2) {
  if (statSync(`${file}.journal`, { throwIfNoEntry: false })?.size) return void 0;
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return void 0;
  const bytes = readFileSync(file);
  const start = FIELD.length + DIGEST_LENGTH + AFTER.length;
  const seal = bytes.subarray(0, start).toString();
  if (seal !== `${FIELD}${digestOf(bytes.subarray(start))}${AFTER}`) return void 0;
  const { sealed: _, ...document2 } = JSON.parse(bytes.toString());
  return document2.mockademy === FORMAT && document2.version === version2 ? document2 : void 0;
}

// src/store/fold-files.ts
async function writeSnapshot(file, document2) {
  const temporary = join2(dirname(file), `.${basename(file)}.tmp`);
  try {
    await (await open(temporary, "w", 384)).close();
    await new Low(new DataFile(file, { parse: JSON.parse, stringify: sealed }), document2).write();
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

// src/store/lock.ts
import { randomUUID } from "node:crypto";
import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync as readFileSync3,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync
} from "node:fs";
import { basename as basename2, dirname as dirname2, join as join3 } from "node:path";

// src/store/owner.ts
import { execFileSync } from "node:child_process";
import { readFileSync as readFileSync2, readlinkSync } from "node:fs";
import { hostname } from "node:os";
function ownerIn(text) {
  const { id = "of-an-earlier-release", pid, host, pids_of, started } = objectIn2(text);
  if (typeof id !== "string" || !Number.isInteger(pid) || typeof host !== "string") return void 0;
  if (started !== null && typeof started !== "string") return void 0;
  if (pids_of !== void 0 && typeof pids_of !== "string") return void 0;
  return { id, pid, host, started, ...pids_of !== void 0 && { pids_of } };
}
function objectIn2(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
var selfAs = (id) => ({
  id,
  pid: process.pid,
  host: hostname(),
  pids_of: pidsOf(),
  started: startOf(process.pid)
});
function lifeOf({ pid, host, pids_of, started }) {
  const isNear = pids_of === void 0 ? host === hostname() : pids_of === pidsOf();
  if (!isNear) return "unknown";
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code === "ESRCH") return "gone";
  }
  if (pid === process.pid) return started === startOf(pid) ? "unknown" : "gone";
  const stat2 = process.platform === "linux" ? statOf(pid) : void 0;
  if (stat2 && /^[ZX]/.test(stat2.state)) return "gone";
  const now = startOf(pid);
  if (now === null || started === null) return "unknown";
  return now === started ? "runs" : "gone";
}
function pidsOf() {
  try {
    const isOwn = statOf("self")?.pid === String(process.pid);
    const boot = readFileSync2("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}${isOwn ? "" : ` ${process.pid} of another /proc`}`;
  } catch {
    return `${process.platform} ${hostname()}`;
  }
}
function startOf(pid) {
  if (process.platform === "linux") return statOf(pid)?.started ?? null;
  try {
    const env = { ...process.env, TZ: "UTC", LC_ALL: "C" };
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8", env }).trim() || null;
  } catch {
    return null;
  }
}
function statOf(pid) {
  try {
    const stat2 = readFileSync2(`/proc/${pid}/stat`, "utf8");
    const [state = "", ...rest] = stat2.slice(stat2.lastIndexOf(")") + 2).split(" ");
    return { pid: stat2.slice(0, stat2.indexOf(" ")), state, started: rest[18] ?? "" };
  } catch {
    return void 0;
  }
}

// src/store/lock.ts
var BEAT = 1e3;
var SILENCE = 6e3;
var LOOK = 100;
var UNREADABLE = "unreadable";
var held = /* @__PURE__ */ new Set();
async function lockStore(file) {
  const path = `${file}.lock`;
  if (held.has(path)) throw inUse(file, selfAs(""));
  held.add(path);
  try {
    const self = selfAs(randomUUID());
    const waitedFor = await take(file, path, self);
    return keep(path, self, waitedFor);
  } catch (error) {
    held.delete(path);
    throw error;
  }
}
async function take(file, path, self) {
  let waitedFor;
  for (; ; ) {
    if (create(path, self)) break;
    const first = read(path);
    const last = first && lastOf(path, first);
    if (!first || !last) continue;
    const life = last.owner ? lifeOf(last.owner) : "unknown";
    if (life === "runs") throw inUse(file, last.owner);
    if (life === "unknown") {
      const watched = await watch(path, last);
      if (watched === "changed") continue;
      if (watched === "touched") throw inUse(file, last.owner);
      waitedFor = last.owner ? `process ${last.owner.pid} on ${last.owner.host}` : "a process";
    }
    const succession = successorOf(path, last.id);
    if (!create(succession, self)) continue;
    if (read(path)?.id === first.id && moved(succession, path)) break;
    rmSync(succession, { force: true });
  }
  for (const name of readdirSync(dirname2(path))) {
    if (name.startsWith(`${basename2(path)}.after-`)) rmSync(join3(dirname2(path), name), { force: true });
  }
  return waitedFor;
}
function keep(path, self, waitedFor) {
  let isLost = false;
  let beat = performance.now();
  const touch = () => {
    const found = read(path);
    if (!found) tryTo(() => create(path, self));
    else if (found.id === self.id) tryTo(() => utimesSync(path, /* @__PURE__ */ new Date(), /* @__PURE__ */ new Date()));
    else isLost = true;
    beat = performance.now();
  };
  const timer = setInterval(touch, BEAT);
  timer.unref();
  return {
    waitedFor,
    isHeld() {
      if (performance.now() - beat > SILENCE / 2) touch();
      return !isLost;
    },
    unlock() {
      clearInterval(timer);
      held.delete(path);
      if (read(path)?.id === self.id) rmSync(path, { force: true });
    }
  };
}
var successorOf = (path, id) => `${path}.after-${id}`;
function lastOf(path, first) {
  let last = first;
  for (let next = read(successorOf(path, last.id)); next && next.id !== last.id; next = read(successorOf(path, last.id))) {
    last = next;
  }
  return last;
}
async function watch(path, found) {
  const began = performance.now();
  while (performance.now() - began < SILENCE) {
    await new Promise((resolve2) => setTimeout(resolve2, LOOK));
    const first = read(path);
    const now = first && lastOf(path, first);
    if (now?.id !== found.id) return "changed";
    if (now.touched !== found.touched) return "touched";
  }
  return "silent";
}
function create(path, owner) {
  try {
    writeFileSync(path, `${JSON.stringify(owner)}
`, { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}
function read(path) {
  let fd;
  try {
    fd = openSync(path, "r");
  } catch (error) {
    if (error.code === "ENOENT") return void 0;
    throw error;
  }
  try {
    const text = readFileSync3(fd, "utf8");
    const touched = `${fstatSync(fd).mtimeMs} ${text.length}`;
    const owner = ownerIn(text);
    return { id: owner?.id ?? UNREADABLE, owner, touched };
  } finally {
    closeSync(fd);
  }
}
function moved(from, to) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (error.code === "ENOENT") return false;
    throw error;
  }
}
function tryTo(work) {
  try {
    work();
  } catch {
  }
}
function inUse(file, owner) {
  const self = selfAs("");
  const where = owner && owner.pids_of !== self.pids_of ? ` on ${owner.host}, in another container or machine` : "";
  const who = owner ? `process ${owner.pid}${where}` : "another process";
  return new StartRefusal(2, `The store ${file} is in use by ${who}. Stop it, or choose another file with --store.`);
}

// src/store/store-folder.ts
import { existsSync, lstatSync, mkdirSync, readlinkSync as readlinkSync2, realpathSync, renameSync as renameSync2 } from "node:fs";
import { basename as basename3, dirname as dirname3, join as join4, resolve } from "node:path";
var MOST_LINKS = 40;
function realFile(file) {
  let path = resolve(file);
  for (let links = 0; links < MOST_LINKS; links++) {
    makeFolder(dirname3(path));
    path = join4(realpathSync.native(dirname3(path)), basename3(path));
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
    if (!isLink) return existsSync(path) ? realpathSync.native(path) : path;
    path = resolve(dirname3(path), readlinkSync2(path));
  }
  throw new Error(`${file}: too many symbolic links`);
}
function makeFolder(folder2) {
  if (existsSync(folder2)) return;
  makeFolder(dirname3(folder2));
  try {
    mkdirSync(folder2);
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
}
function setAside(file) {
  if (!existsSync(file) && !existsSync(`${file}.journal`)) return;
  let number = 1;
  while (existsSync(`${file}.old-${number}`) || existsSync(`${file}.old-${number}.journal`)) number++;
  const old = `${file}.old-${number}`;
  if (existsSync(file)) renameSync2(file, old);
  if (existsSync(`${file}.journal`)) renameSync2(`${file}.journal`, `${old}.journal`);
}

// src/store/store-file.ts
var LEAST_FOLD = 1024 * 1024;
async function openStoreFile(given, { fresh = false, ...reading }) {
  let file;
  let lock;
  try {
    file = realFile(given);
    lock = await lockStore(file);
  } catch (error) {
    if (error instanceof StartRefusal) throw error;
    throw new StartRefusal(2, `The store ${given} cannot be written: ${error.message}`);
  }
  try {
    const read2 = fresh ? void 0 : await readStore(file, reading);
    return new StoreFiles(file, lock, reading.version, read2, fresh);
  } catch (error) {
    lock.unlock();
    throw error;
  }
}
async function readStore(file, reading) {
  if (!existsSync2(file) && !existsSync2(`${file}.journal`)) return void 0;
  const document2 = readSealed(file, reading.version);
  if (document2) return { document: document2, isOutdated: false, journal: { whole: 0, torn: 0 } };
  return (await import("./read-files-FMDNHE64.js")).readFiles(file, reading);
}
var StoreWriteError = class extends Error {
  constructor(message) {
    super(message);
    this.name = "StoreWriteError";
  }
};
var StoreFiles = class {
  constructor(file, lock, version2, read2, fresh) {
    this.file = file;
    this.lock = lock;
    this.version = version2;
    this.read = read2;
    this.fresh = fresh;
    this.journalFile = `${file}.journal`;
    this.loaded = read2?.document;
    this.#n = this.loaded?.folded ?? 0;
    this.#seededFrom = this.loaded?.seeded_from ?? "";
    if (lock.waitedFor) {
      this.notes.push(`The lock of ${file} was left behind by ${lock.waitedFor}, which is gone; it was taken over.`);
    }
    if (read2?.journal.torn) {
      this.notes.push(`The last line of ${this.journalFile} was cut off when the emulator was killed; it was dropped.`);
    }
    if (read2?.isOutdated) this.notes.push(`${file} was of an earlier release; it was brought up to date.`);
  }
  file;
  lock;
  version;
  read;
  fresh;
  journalFile;
  notes = [];
  loaded;
  /** The journal, open for appending; undefined until the first change may come. */
  #fd;
  #size = 0;
  #snapshotSize = 0;
  /** The number of the last line. */
  #n;
  #folding;
  /** After a failed fold: the journal's size before which none is tried again. */
  #nextFold = LEAST_FOLD;
  #seededFrom;
  async begin(contents) {
    try {
      if (this.fresh) setAside(this.file);
      if (!this.read || this.read.isOutdated) {
        await this.#write(contents());
        rmSync2(this.journalFile, { force: true });
      } else if (this.read.journal.torn > 0) truncateSync(this.journalFile, this.read.journal.whole);
      this.#snapshotSize = statSync2(this.file).size;
      this.#openJournal();
    } catch (error) {
      throw new StartRefusal(2, `The store ${this.file} cannot be written: ${error.message}`);
    }
    this.#foldWhenDue();
  }
  /** Appends a line. One that cannot be written whole is cut off again. @throws StoreWriteError */
  append(changes, counters) {
    if (!this.lock.isHeld()) throw this.#taken();
    const line = Buffer.from(toLine(this.#n + 1, changes, counters));
    try {
      const fd = this.#fd ?? this.#openJournal();
      for (let written = 0; written < line.length; ) written += writeSync(fd, line, written);
    } catch (error) {
      this.#cutOff();
      throw new StoreWriteError(`${this.journalFile}: ${error.message}`);
    }
    this.#n++;
    this.#size += line.length;
    this.#foldWhenDue();
  }
  abandon() {
    this.#closeJournal();
    this.lock.unlock();
  }
  async close(contents) {
    await this.#folding;
    this.#closeJournal();
    try {
      if (!this.lock.isHeld()) throw this.#taken();
      if (this.#size > 0) await this.#write(contents());
      rmSync2(this.journalFile, { force: true });
    } catch (error) {
      if (error instanceof StoreWriteError) throw error;
      throw new StoreWriteError(
        `${this.file} cannot be written: ${error.message}. Nothing is lost: ${this.journalFile} has every change, and the next start reads it.`
      );
    } finally {
      this.lock.unlock();
    }
  }
  #taken() {
    return new StoreWriteError(`another process has taken over ${this.file}: this one did not answer for too long`);
  }
  #write(contents) {
    const { version: version2 } = this;
    const seeded_from = this.#seededFrom || contents.seeded_from;
    this.#seededFrom = seeded_from;
    return writeSnapshot(this.file, { mockademy: FORMAT, version: version2, folded: this.#n, ...contents, seeded_from });
  }
  #openJournal() {
    this.#fd = openSync2(this.journalFile, "a", 384);
    this.#size = statSync2(this.journalFile).size;
    return this.#fd;
  }
  #closeJournal() {
    if (this.#fd !== void 0) closeSync2(this.#fd);
    this.#fd = void 0;
  }
  /** Cuts off what was written of a line. The file is closed for that: Windows truncates none that is open. */
  #cutOff() {
    if (this.#fd === void 0) return;
    this.#closeJournal();
    truncateSync(this.journalFile, this.#size);
    this.#openJournal();
  }
  #foldWhenDue() {
    if (this.#folding || this.#size < Math.max(this.#nextFold, this.#snapshotSize) || !this.lock.isHeld()) return;
    const bytes = this.#size;
    this.#folding = foldInThread(this.file, bytes).then((snapshotSize) => {
      this.#snapshotSize = snapshotSize;
      this.#dropFolded(bytes);
      this.#nextFold = LEAST_FOLD;
    }).catch(() => {
      this.#nextFold = 2 * bytes;
    }).finally(() => {
      this.#folding = void 0;
      if (this.#fd !== void 0) this.#foldWhenDue();
    });
  }
  /** Cuts off the journal's first bytes. A kill before the rename leaves lines that reading skips. */
  #dropFolded(bytes) {
    const tail = Buffer.alloc(this.#size - bytes);
    const reader = openSync2(this.journalFile, "r");
    readSync(reader, tail, 0, tail.length, bytes);
    closeSync2(reader);
    const temporary = `${this.journalFile}.tmp`;
    try {
      writeFileSync2(temporary, tail, { mode: 384 });
      this.#closeJournal();
      renameSync3(temporary, this.journalFile);
    } finally {
      rmSync2(temporary, { force: true });
      this.#openJournal();
    }
  }
};
var foldInThread = (file, bytes) => new Promise((resolve2, reject) => {
  const worker = new Worker(new URL("./fold-worker.js", import.meta.url), { workerData: { file, bytes } });
  worker.once("message", resolve2);
  worker.once("error", reject);
  worker.once("exit", () => reject(new Error("the folding thread ended early")));
});

// src/tls/authority.ts
import { existsSync as existsSync3, readFileSync as readFileSync4 } from "node:fs";
import { mkdir, mkdtemp, readFile as readFile2, rename, rm as rm2, writeFile } from "node:fs/promises";
import { dirname as dirname4, join as join6 } from "node:path";
import { rootCertificates } from "node:tls";

// src/tls/data-folder.ts
import { homedir } from "node:os";
import { join as join5 } from "node:path";
function dataFolder() {
  const { XDG_DATA_HOME, LOCALAPPDATA } = process.env;
  if (XDG_DATA_HOME) return join5(XDG_DATA_HOME, "mockademy");
  if (process.platform === "darwin") return join5(homedir(), "Library", "Application Support", "mockademy");
  if (process.platform === "win32") return join5(LOCALAPPDATA ?? join5(homedir(), "AppData", "Local"), "mockademy");
  return join5(homedir(), ".local", "share", "mockademy");
}

// src/tls/authority.ts
var folder = () => join6(dataFolder(), "authority");
var authorityFile = () => join6(folder(), "ca.pem");
async function localAuthority() {
  const key = join6(folder(), "ca.key");
  if (!existsSync3(authorityFile())) await makeAuthority();
  const [certificate, privateKey] = await Promise.all([readFile2(authorityFile(), "utf8"), readFile2(key, "utf8")]);
  return { certificate, key: privateKey };
}
async function makeAuthority() {
  const { issueAuthority } = await import("./certificates-2OGAVKQ5.js");
  const { certificate, key } = await issueAuthority();
  await mkdir(dirname4(folder()), { recursive: true, mode: 448 });
  const draft = await mkdtemp(`${folder()}-`);
  await writeFile(join6(draft, "ca.pem"), certificate);
  await writeFile(join6(draft, "ca.key"), key, { mode: 384 });
  try {
    await rename(draft, folder());
  } catch (error) {
    await rm2(draft, { recursive: true });
    if (!existsSync3(authorityFile())) throw error;
  }
}
var trustedAuthorities = () => existsSync3(authorityFile()) ? [...rootCertificates, readFileSync4(authorityFile(), "utf8")] : [...rootCertificates];

// src/webhooks/inbox.ts
var KEPT_ENTRIES2 = 200;
var KEPT_INBOXES = 1e3;
var KEPT_CHARACTERS = 1024 * 1024;
var newInbox = () => ({ entries: [], behaviour: { status: 200, delay: 0, headers: {} } });
function createInboxes() {
  const inboxes = /* @__PURE__ */ new Map();
  const listeners = /* @__PURE__ */ new Set();
  const use = (name) => {
    const inbox = inboxes.get(name) ?? newInbox();
    inboxes.delete(name);
    inboxes.set(name, inbox);
    const [oldest] = inboxes.keys();
    if (inboxes.size > KEPT_INBOXES && oldest !== void 0) inboxes.delete(oldest);
    return inbox;
  };
  return {
    entries: (name) => (inboxes.get(name)?.entries ?? []).map((entry) => ({ ...entry, body: jsonOr(entry.raw) })),
    add(name, { body: _, ...entry }) {
      const { entries } = use(name);
      entries.push({ ...entry, raw: beginningOf(entry.raw) });
      if (entries.length > KEPT_ENTRIES2) entries.shift();
      for (const listener of listeners) listener();
    },
    behaviour: (name) => inboxes.get(name)?.behaviour ?? newInbox().behaviour,
    behave(name, behaviour) {
      use(name).behaviour = behaviour;
    },
    empty(name) {
      const inbox = inboxes.get(name);
      if (inbox) inbox.entries = [];
    },
    clear: () => inboxes.clear(),
    onEntry(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    }
  };
}
var beginningOf = (raw) => raw.length > KEPT_CHARACTERS ? Buffer.from(raw.slice(0, KEPT_CHARACTERS)).toString() : raw;
function jsonOr(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

// src/webhooks/post.ts
import { lookup } from "node:dns";
import { readFileSync as readFileSync5 } from "node:fs";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP as isIP2 } from "node:net";

// src/webhooks/targets.ts
import { BlockList, isIP } from "node:net";
var nearby = new BlockList();
nearby.addSubnet("127.0.0.0", 8);
nearby.addSubnet("10.0.0.0", 8);
nearby.addSubnet("172.16.0.0", 12);
nearby.addSubnet("192.168.0.0", 16);
nearby.addAddress("::1", "ipv6");
nearby.addSubnet("fc00::", 7, "ipv6");
var metadata = new BlockList();
metadata.addSubnet("fd00:ec2::", 32, "ipv6");
function isNearby(address) {
  const bare = address.split("%", 1)[0];
  const family = isIP(bare);
  const type = family === 6 ? "ipv6" : "ipv4";
  return family !== 0 && nearby.check(bare, type) && !metadata.check(bare, type);
}
var plainHost = (hostname2) => hostname2.replace(/^\[|\]$/g, "").replace(/\.$/, "").toLowerCase();
var isTrusted = (hostname2, { trust_hosts, allow_public_webhooks }) => allow_public_webhooks || trust_hosts.some((host) => plainHost(host) === plainHost(hostname2));
var refusedTarget = (hostname2, address) => {
  const what = hostname2 === address ? hostname2 : `${hostname2} (${address})`;
  return `${what} is neither a loopback nor a private address, so it was not called: list the host in trust_hosts, or set allow_public_webhooks`;
};

// src/webhooks/post.ts
var ONE_MEGABYTE = 1024 * 1024;
var PostFailure = class extends Error {
  constructor(kind2, message, duration) {
    super(message);
    this.kind = kind2;
    this.duration = duration;
    this.name = "PostFailure";
  }
  kind;
  duration;
};
var RefusedTarget = class extends Error {
};
function createPost(world2) {
  let authorities;
  const judgingLookup = (hostname2, options, callback) => {
    lookup(hostname2, { ...options, all: true }, (error, addresses) => {
      const refused = error ? void 0 : addresses.find(({ address }) => !isNearby(address));
      if (error) callback(error, "", 0);
      else if (refused && !isTrusted(hostname2, world2().settings)) {
        callback(new RefusedTarget(refusedTarget(hostname2, refused.address)), "", 0);
      } else if (options.all) callback(null, addresses);
      else callback(null, addresses[0]?.address ?? "", addresses[0]?.family ?? 0);
    });
  };
  return ({ url, headers, body, timeout, signal, onSent }) => {
    const started = performance.now();
    const { settings } = world2();
    const { protocol, hostname: hostname2 } = new URL(url);
    const host = plainHost(hostname2);
    const since = () => Math.round(performance.now() - started);
    return new Promise((resolve2, reject) => {
      let settled = false;
      const end = (settle) => {
        if (settled) return;
        settled = true;
        clearTimeout(timer);
        signal.removeEventListener("abort", abort);
        settle();
        sent?.destroy();
      };
      const fail = (kind2, message) => end(() => reject(new PostFailure(kind2, message, since())));
      const abort = () => fail("aborted", "the attempt was aborted");
      let late = () => fail("timeout", `no answer within ${timeout} ms`);
      let broken = (error) => fail(error instanceof RefusedTarget ? "refused" : "network", messageOf(error));
      let sent;
      const timer = setTimeout(() => late(), timeout);
      if (signal.aborted) return abort();
      signal.addEventListener("abort", abort);
      if (isIP2(host) && !isNearby(host) && !isTrusted(host, settings)) return fail("refused", refusedTarget(host, host));
      const options = {
        method: "POST",
        headers: { ...headers, "Content-Length": Buffer.byteLength(body) },
        agent: false,
        lookup: judgingLookup
      };
      try {
        if (protocol === "https:") options.ca = authorities ??= authoritiesOf(settings.webhook_ca);
        sent = (protocol === "https:" ? httpsRequest : httpRequest)(url, options);
      } catch (error) {
        return fail("network", messageOf(error));
      }
      sent.on("error", (error) => broken(error));
      sent.on("finish", () => onSent?.());
      sent.on("response", (response) => {
        const answer = { status: response.statusCode ?? 0, headers: flat(response) };
        const chunks = [];
        let size = 0;
        const take2 = () => end(() => {
          const read2 = Buffer.concat(chunks).subarray(0, ONE_MEGABYTE).toString();
          resolve2({ ...answer, body: read2, duration: since() });
        });
        late = take2;
        broken = take2;
        response.on("data", (chunk) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size >= ONE_MEGABYTE) take2();
        });
        response.on("end", take2);
        response.on("error", take2);
        response.on("close", take2);
      });
      sent.end(body);
    });
  };
}
var authoritiesOf = (webhookCa) => [
  ...trustedAuthorities(),
  ...webhookCa === void 0 ? [] : [readFileSync5(webhookCa, "utf8")]
];
var flat = ({ headers }) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(", ")]));
function messageOf(error) {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}

// src/webhooks/webhook-effects.ts
var otherDigit = (digit) => (15 - Number.parseInt(digit, 16)).toString(16);
var alter = (alteration) => ({
  does: "alter",
  alter: alteration
});
var behaviours = {
  drop: { does: "drop" },
  duplicate: { does: "duplicate" },
  reorder: { does: "reorder" },
  lose_ack: { does: "lose_ack" },
  bad_signature: alter(({ signature }) => ({ signature: signature?.replace(/./g, otherDigit) })),
  short_signature: alter(({ signature }) => ({ signature: signature?.slice(0, 32) })),
  no_signature: alter(() => ({ signature: void 0 })),
  stale_signature: alter(({ body }, secret) => ({ signature: sign(body, `${secret} of another time`) })),
  altered_body: alter(({ body }) => ({ body: body.replace(/}$/, ',"altered":true}') })),
  reserialised: alter(({ body }) => ({ body: JSON.stringify(JSON.parse(body), null, 1) })),
  replay: alter(({ idempotencyKey }) => ({ idempotencyKey: `evt_${otherKey(idempotencyKey)}` })),
  truncate: alter(({ body }) => ({ body: body.slice(0, Math.floor(body.length / 2)) }))
};
var otherKey = (key) => key.replace(/^evt_/, "").split("").reverse().join("");
function behaviourOf(effect) {
  if (effect === void 0) return void 0;
  if (typeof effect === "string") return behaviours[effect];
  const { body, signature } = effect;
  if (body === void 0 && signature === void 0) return void 0;
  return alter((_, secret) => ({
    ...body !== void 0 && { body, signature: sign(body, secret) },
    ...signature !== void 0 && { signature }
  }));
}
var delayOf = (effect) => typeof effect === "object" ? effect.delay : void 0;
function underEffect(behaviour, { body, idempotencyKey }, signingSecret) {
  const sending = { body, signature: sign(body, signingSecret), idempotencyKey };
  return behaviour?.does === "alter" ? { ...sending, ...behaviour.alter(sending, signingSecret) } : sending;
}

// src/webhooks/attempt.ts
var KEPT_OF_RESPONSE = 1e4;
var dropped = (world2, fault) => ({
  result: "dropped",
  attempt: {
    at: world2.clock.timestamp(),
    status: null,
    duration: 0,
    error: "dropped on its way",
    fault,
    request: { headers: {}, body: null },
    response: null
  }
});
async function attempt(world2, delivery, request) {
  const { effect, fault, signal, onSent } = request;
  const names = headerNames(world2.settings.header_prefix);
  const secret = world2.store.apps.get(delivery.app)?.signing_secret ?? "";
  const event = { body: delivery.body, idempotencyKey: delivery.event.id };
  const { body, signature, idempotencyKey } = underEffect(behaviourOf(effect), event, secret);
  const headers = {
    "Content-Type": "application/json",
    ...signature !== void 0 && { [names.signature]: signature },
    [names.idempotencyKey]: idempotencyKey
  };
  const lowerCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const made = {
    at: world2.clock.timestamp(),
    status: null,
    duration: 0,
    error: null,
    fault,
    request: { headers: lowerCase, body: body === delivery.body ? null : body },
    response: null
  };
  const timeout = attemptWindow(world2, delivery.event.type);
  const posted = await world2.post({ url: delivery.url, headers, body, timeout, signal, onSent }).catch((error) => failureIn(error));
  const judged = judge(made, posted, effect);
  const isSigned = signature === sign(body, secret);
  const isGenuine = isSigned && body === delivery.body && idempotencyKey === delivery.event.id;
  const sent = isGenuine ? "genuine" : isSigned ? "altered" : "forged";
  if (!signal.aborted) enter2(world2, delivery, body, judged.attempt, { window: timeout, sent });
  return judged;
}
function failureIn(error) {
  if (error instanceof PostFailure) return error;
  throw error;
}
function judge(made, posted, effect) {
  const { duration } = posted;
  if (posted instanceof PostFailure) {
    const result = posted.kind === "refused" ? "refused" : "failed";
    return { result, attempt: { ...made, duration, error: posted.message } };
  }
  if (behaviourOf(effect)?.does === "lose_ack") {
    return { result: "failed", attempt: { ...made, duration, error: "the response was lost on its way" } };
  }
  const { status } = posted;
  const acknowledges = status >= 200 && status < 300;
  const response = { headers: posted.headers, body: posted.body.slice(0, KEPT_OF_RESPONSE) };
  const error = acknowledges ? null : `the app answered ${status}; only a 2xx acknowledges`;
  return { result: acknowledges ? "acknowledged" : "failed", attempt: { ...made, status, duration, error, response } };
}
function enter2(world2, { id, event, url, app, organization }, body, made, facts) {
  const { host, pathname: path, search } = new URL(url);
  world2.journal.record({
    at: made.at,
    surface: "webhook",
    method: "POST",
    path,
    search: search.slice(1),
    status: made.status,
    duration: made.duration,
    client: "",
    delivery: { id, event: event.type, ...facts },
    identity: { app, organization },
    notes: { ...made.error !== null && { reason: made.error }, ...made.fault !== null && { fault: made.fault } },
    request: { headers: { host, ...made.request.headers }, body },
    response: { headers: made.response?.headers ?? {}, body: made.response?.body }
  });
}

// src/store/kind.ts
var kind = (schema, { goesWith = {}, counted = false, ...declared }) => ({ schema, goesWith, counted, ...declared });
function endingKind(schema, endsAt, declared) {
  const ending = {
    key: (record2) => endsAt(record2) === null ? null : "all",
    compare: byEnd(endsAt)
  };
  const indexes = { ...declared.indexes, ending };
  return { ...kind(schema, { ...declared, indexes }), endsAt };
}
var byEnd = (end) => (a, b) => {
  const [endOfA, endOfB] = [end(a) ?? "", end(b) ?? ""];
  return endOfA === endOfB ? byCreation(a, b) : endOfA < endOfB ? -1 : 1;
};
var byOrder = (a, b) => a.order === b.order ? a.sequence - b.sequence : a.order < b.order ? -1 : 1;

// src/webhooks/delivery-kind.ts
var isOpen = ({ state }) => state === "pending" || state === "retrying";
var deliveryKind = endingKind(
  async () => (await import("./delivery-record-BRYFKZL7.js")).deliveryRecord,
  ({ ended_at }) => ended_at,
  {
    indexes: {
      installation: { key: (it) => it.installation },
      organization: { key: (it) => it.organization },
      app: { key: (it) => it.app },
      /** `<app>/<organization>`: those that wait there until after the next one. */
      held: { key: (it) => isOpen(it) && it.due_at === null ? `${it.app}/${it.organization}` : null },
      /** `all`: those with an attempt still to come. */
      open: { key: (it) => isOpen(it) ? "all" : null }
    },
    fixture: "plain",
    goesWith: { organizations: "organization", apps: "app" },
    counted: true
  }
);

// src/webhooks/deliver.ts
async function deliver(world2, request) {
  const delivery = world2.store.deliveries.get(request.delivery);
  if (!delivery || !(request.redelivery || isOpen(delivery))) return void 0;
  const fault = delivery.held && !request.redelivery ? void 0 : faultFor(world2, delivery);
  const effect = fault?.effect;
  if (fault && !request.redelivery && putsOff(world2, delivery, effect)) {
    return { delivery: putOff(world2, request.listener, delivery, fault), released: [] };
  }
  const marked = fault?.id ?? (request.redelivery ? null : delivery.held?.fault ?? null);
  const asked = { effect, fault: marked, signal: request.signal, onSent: request.onSent };
  const results = [];
  const does = behaviourOf(effect)?.does;
  if (does === "drop") results.push(dropped(world2, marked));
  else {
    results.push(await attempt(world2, delivery, asked));
    if (does === "duplicate") results.push(await attempt(world2, delivery, asked));
  }
  if (request.signal.aborted) return void 0;
  return world2.store.change((tx) => record(world2, tx, request, results));
}
var faultFor = (world2, { app, organization, event, url }) => {
  const { pathname: path } = new URL(url);
  return fireFault(world2, { surface: "webhook", method: "POST", path, app, organization, event: event.type });
};
var putsOff = (world2, { app, organization }, effect) => delayOf(effect) !== void 0 || behaviourOf(effect)?.does === "reorder" && world2.store.deliveries.in("held", `${app}/${organization}`).size === 0;
function putOff(world2, listener, delivery, fault) {
  const delay = delayOf(fault.effect);
  const held2 = delay === void 0 ? { ...delivery, held: { effect: "reorder", fault: fault.id }, due_at: null } : { ...delivery, held: { effect: "delay", fault: fault.id }, due_at: world2.clock.timestamp(delay) };
  world2.store.change((tx) => {
    tx.put("deliveries", held2);
    if (delay === void 0) listener.onRecorded(tx, held2);
  });
  return held2;
}
function record(world2, tx, { delivery: id, redelivery, listener }, results) {
  const current = world2.store.deliveries.get(id);
  if (!current) return void 0;
  const after = {
    ...current,
    ...progressAfter(world2, current, redelivery, new Set(results.map(({ result }) => result))),
    attempts: [...current.attempts, ...results.map((result) => result.attempt)]
  };
  tx.put("deliveries", after);
  if (after.ended_at !== null) trimEnded(world2, tx, "deliveries");
  listener.onRecorded(tx, after);
  return { delivery: after, released: release(world2, tx, after) };
}
function release(world2, tx, { id, app, organization }) {
  const held2 = [...world2.store.deliveries.in("held", `${app}/${organization}`)].filter((other) => other.id !== id);
  const released = held2.map((delivery) => ({ ...delivery, due_at: world2.clock.timestamp() }));
  for (const delivery of released) tx.put("deliveries", delivery);
  return released;
}
function progressAfter(world2, current, redelivery, results) {
  const tries = current.tries + (redelivery ? 0 : 1);
  if (results.has("acknowledged")) return { ...ended(world2, "acknowledged", tries), held: null };
  if (redelivery || !isOpen(current)) return {};
  if (results.has("dropped")) return { ...ended(world2, "dropped", tries), held: null };
  if (results.has("refused")) return { ...ended(world2, "failed", tries), held: null };
  return { ...afterFailure(world2, current), held: null };
}

// src/webhooks/lanes.ts
import { setMaxListeners } from "node:events";
var Lanes = class {
  /** @param onEnd called whenever a job has ended, or all were aborted. */
  constructor(atOnce, onEnd) {
    this.atOnce = atOnce;
    this.onEnd = onEnd;
    this.#abort = this.#newAbort();
  }
  atOnce;
  onEnd;
  #abort;
  #lanes = /* @__PURE__ */ new Map();
  #ready = [];
  #pending = /* @__PURE__ */ new Map();
  #queued = /* @__PURE__ */ new Set();
  #running = 0;
  /** Queues a job. @returns its result; undefined when it was aborted. */
  enqueue(name, job) {
    return new Promise((done, failed) => {
      const lane = this.#lanes.get(name) ?? { jobs: [], busy: false };
      this.#lanes.set(name, lane);
      const queued = { ...job, done, failed };
      this.#queued.add(queued);
      const place = lane.jobs.findIndex((other) => other.sequence > job.sequence);
      lane.jobs.splice(place < 0 ? lane.jobs.length : place, 0, queued);
      this.#count(job.id, 1);
      if (!lane.busy && lane.jobs.length === 1) this.#ready.push(lane);
      queueMicrotask(() => this.#pump());
    });
  }
  /** Whether a job of that id waits or is under way. */
  has = (id) => this.#pending.has(id);
  /** Ids of the jobs that wait or are under way. */
  ids = () => [...this.#pending.keys()];
  /** Aborts every job and discards its result. */
  abortAll() {
    const aborted = { abort: this.#abort, queued: this.#queued };
    this.#abort = this.#newAbort();
    this.#lanes = /* @__PURE__ */ new Map();
    this.#ready = [];
    this.#pending = /* @__PURE__ */ new Map();
    this.#queued = /* @__PURE__ */ new Set();
    this.#running = 0;
    aborted.abort.abort();
    for (const { done } of aborted.queued) done(void 0);
    this.onEnd();
  }
  #pump() {
    while (this.#running < this.atOnce) {
      const lane = this.#ready.shift();
      const job = lane?.jobs.shift();
      if (!lane || !job) return;
      this.#start(lane, job);
    }
  }
  #start(lane, job) {
    const { signal } = this.#abort;
    let left = false;
    const leave = () => {
      if (left || signal.aborted) return;
      left = true;
      lane.busy = false;
      if (lane.jobs.length > 0) this.#ready.push(lane);
      this.#pump();
    };
    lane.busy = true;
    this.#running++;
    job.run(signal, leave).then(job.done, job.failed).finally(() => {
      if (signal.aborted) return;
      this.#running--;
      this.#queued.delete(job);
      this.#count(job.id, -1);
      leave();
      this.#pump();
      this.onEnd();
    });
  }
  #count(id, by) {
    const count = (this.#pending.get(id) ?? 0) + by;
    if (count > 0) this.#pending.set(id, count);
    else this.#pending.delete(id);
  }
  /** Every job under way listens to it. */
  #newAbort() {
    const abort = new AbortController();
    setMaxListeners(this.atOnce, abort.signal);
    return abort;
  }
};

// src/webhooks/outbox.ts
var AT_ONCE = 64;
var UNRECORDED_WAIT = 1e4;
function createOutbox(getWorld, listener) {
  const listeners = /* @__PURE__ */ new Set();
  const lanes = new Lanes(AT_ONCE, () => {
    for (const told of listeners) told();
  });
  const queue = async ({ id, organization, sequence }, redelivery) => {
    if (getWorld().closing.aborted) return void 0;
    return lanes.enqueue(organization, {
      id,
      sequence,
      run: (signal, onSent) => deliver(getWorld(), { delivery: id, redelivery, listener, signal, onSent })
    });
  };
  const run = async (delivery, redelivery) => {
    const world2 = getWorld();
    const delivered = await queue(delivery, redelivery).catch((error) => {
      world2.clock.schedule(
        entryOf(delivery),
        world2.clock.now() + UNRECORDED_WAIT,
        async () => void await inBackground(delivery)
      );
      throw error;
    });
    if (!delivered) return delivery;
    const { delivery: after, released } = delivered;
    if (!isOpen(after)) world2.clock.cancel(entryOf(after));
    else if (after.due_at !== null) scheduleNext(after);
    await Promise.all(released.map(inBackground));
    return world2.store.deliveries.get(after.id) ?? after;
  };
  const scheduleNext = ({ id, due_at }) => {
    const { clock, store } = getWorld();
    clock.schedule(entryOf({ id }), Date.parse(due_at ?? ""), async () => {
      const delivery = store.deliveries.get(id);
      if (delivery) await inBackground(delivery);
    });
  };
  const inBackground = (delivery) => run(delivery, false).catch(() => void 0);
  return {
    deliver: (delivery) => run(delivery, false),
    redeliver: (delivery) => run(delivery, true),
    send(deliveries) {
      for (const delivery of deliveries) void inBackground(delivery);
    },
    abortAll: () => lanes.abortAll(),
    resume() {
      const { store, clock } = getWorld();
      const open2 = [...store.deliveries.in("open", "all")];
      listener.onResume(open2);
      for (const delivery of open2) {
        if (lanes.has(delivery.id) || delivery.due_at === null) continue;
        if (Date.parse(delivery.due_at) > clock.now()) scheduleNext(delivery);
        else void inBackground(delivery);
      }
    },
    waiting() {
      const { store, clock } = getWorld();
      const now = clock.timestamp();
      const overdue = [...store.deliveries.in("open", "all")].filter(({ due_at }) => due_at !== null && due_at <= now);
      return [.../* @__PURE__ */ new Set([...lanes.ids(), ...overdue.map(({ id }) => id)])];
    },
    onEnd(told) {
      listeners.add(told);
      return () => listeners.delete(told);
    }
  };
}
var entryOf = ({ id }) => `delivery/${id}`;

// src/world/random.ts
import { createHash as createHash4, randomBytes } from "node:crypto";
import { customRandom } from "nanoid";
var ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
function createRandom(seed) {
  const bytes = (count) => {
    if (seed === void 0) return randomBytes(count);
    const blocks = [];
    for (let length = 0; length < count; length += 32) {
      blocks.push(
        createHash4("sha256").update(`${seed}:${random.draws++}`).digest()
      );
    }
    return Buffer.concat(blocks).subarray(0, count);
  };
  const alphanumeric = (size) => customRandom(ALPHANUMERIC, size, bytes);
  const sixteen = alphanumeric(16);
  const twentyFour = alphanumeric(24);
  const random = {
    id: () => sixteen(),
    eventId: () => `evt_${twentyFour()}`,
    secret: (prefix) => prefix + Buffer.from(bytes(32)).toString("base64url"),
    fraction: () => Buffer.from(bytes(4)).readUInt32BE() / 2 ** 32,
    draws: 0
  };
  return random;
}

// src/start/invalid-fixtures-error.ts
var InvalidFixturesError = class extends Error {
  constructor(summary, issues) {
    super([summary, ...issues.map(({ path, message }) => `  ${path}${path ? ": " : ""}${message}`)].join("\n"));
    this.summary = summary;
    this.issues = issues;
    this.name = "InvalidFixturesError";
  }
  summary;
  issues;
};
async function namingFixtures(work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) throw new InvalidFixturesError(error.message, error.details ?? []);
    throw error;
  }
}

// src/activities/activity-kind.ts
var activityKind = kind(async () => (await import("./activity-record-NAK7EWVX.js")).activityRecord, {
  indexes: {
    organization: { key: (it) => it.organization },
    element: { key: (it) => it.element }
  },
  fixture: "own",
  goesWith: { elements: "element" },
  counted: true
});

// src/apps/app-kind.ts
var appKind = kind(async () => (await import("./app-record-MAJOO2FL.js")).appRecord, {
  indexes: {
    client_id: { key: (it) => it.client_id }
  },
  fixture: "own",
  counted: true
});

// src/apps/installation-kind.ts
var isThere = ({ state }) => state === "installed" || state === "uninstalling";
var installationKind = kind(async () => (await import("./installation-record-AP7D4LAS.js")).installationRecord, {
  indexes: {
    app: { key: (it) => it.app },
    organization: { key: (it) => it.organization },
    /** `<app>/<organization>`: the one that is installed or uninstalling there. */
    current: { key: (it) => isThere(it) ? `${it.app}/${it.organization}` : null },
    /** `<app>/<version>`: those of that version that are installed or uninstalling. */
    current_version: { key: (it) => isThere(it) ? `${it.app}/${it.version}` : null },
    /** `all`: those whose tokens are still to be revoked. */
    uninstalling: { key: (it) => it.state === "uninstalling" ? "all" : null }
  },
  fixture: "own",
  goesWith: { organizations: "organization", apps: "app" },
  counted: true
});

// src/authentication/token-kind.ts
var tokenKind = endingKind(
  async () => (await import("./token-record-APGFHW5L.js")).tokenRecord,
  ({ ended_at, expires_at }) => ended_at && ended_at < expires_at ? ended_at : expires_at,
  {
    indexes: {
      secret: { key: (it) => it.secret },
      installation: { key: (it) => it.installation },
      code: { key: (it) => it.code }
    },
    fixture: "plain",
    goesWith: { installations: "installation" },
    counted: true
  }
);

// src/courses/course-kind.ts
var courseKind = kind(async () => (await import("./course-record-HM4BNPTS.js")).courseRecord, {
  indexes: {
    organization: { key: (it) => it.organization }
  },
  fixture: "own",
  goesWith: { organizations: "organization" },
  counted: true
});

// src/elements/element-kind.ts
var elementKind = kind(async () => (await import("./element-record-SREO3RKO.js")).elementRecord, {
  indexes: {
    organization: { key: (it) => it.organization },
    siblings: { key: (it) => it.module, compare: byOrder },
    course: { key: (it) => it.course },
    /** Those whose `source` is an element. */
    source: { key: (it) => it.properties.source?.id ?? null },
    /** Those of a course that have score inputs. */
    scores: { key: (it) => Array.isArray(it.properties.inputs) ? it.course : null }
  },
  fixture: "own",
  goesWith: { modules: "siblings" },
  counted: true
});

// src/faults/fault-kind.ts
var faultKind = kind(async () => (await import("./fault-record-WM4G5MUL.js")).faultRecord, {
  indexes: {},
  fixture: "plain",
  counted: true
});

// src/members/course-member-kind.ts
var courseMemberKind = kind(async () => (await import("./course-member-record-GVRB3FMM.js")).courseMemberRecord, {
  indexes: {
    course: { key: (it) => it.course },
    /** `<organization>/<user>`: the id of the membership that it needs. */
    membership: { key: (it) => `${it.organization}/${it.user}` }
  },
  fixture: "own",
  goesWith: { courses: "course", memberships: "membership" }
});

// src/modules/module-kind.ts
var moduleKind = kind(async () => (await import("./module-record-DRBFYHU6.js")).moduleRecord, {
  indexes: {
    organization: { key: (it) => it.organization },
    course: { key: (it) => it.course },
    siblings: { key: (it) => it.course, compare: byOrder }
  },
  fixture: "own",
  goesWith: { courses: "course" },
  counted: true
});

// src/oauth/code-kind.ts
var codeKind = endingKind(
  async () => (await import("./code-record-MV4WKLFE.js")).codeRecord,
  ({ used_at, expires_at }) => used_at ?? expires_at,
  {
    indexes: {
      secret: { key: (it) => it.secret },
      installation: { key: (it) => it.installation }
    },
    fixture: "plain",
    goesWith: { installations: "installation" }
  }
);

// src/oauth/key-kind.ts
var keyKind = kind(async () => (await import("./key-record-3VALM22D.js")).keyRecord, {
  indexes: {},
  fixture: "plain"
});

// src/oauth/silent-auth-kind.ts
var silentAuthKind = kind(async () => (await import("./silent-auth-record-2IAWMJGI.js")).silentAuthRecord, {
  indexes: {},
  fixture: "plain"
});

// src/organizations/membership-kind.ts
var membershipKind = kind(async () => (await import("./membership-record-MH5SX52U.js")).membershipRecord, {
  indexes: {
    organization: { key: (it) => it.organization },
    user: { key: (it) => it.user }
  },
  fixture: "own",
  goesWith: { organizations: "organization" }
});

// src/organizations/organization-kind.ts
var organizationKind = kind(async () => (await import("./organization-record-3VYE2DFG.js")).organizationRecord, {
  indexes: {
    api_key: { key: (it) => it.api_key }
  },
  fixture: "own",
  counted: true
});

// src/organizations/user-kind.ts
var userKind = kind(async () => (await import("./user-record-ZWIVHQ3S.js")).userRecord, {
  indexes: {
    email: { key: (it) => it.email.toLowerCase() }
  },
  fixture: "own",
  counted: true
});

// src/web-app/session-kind.ts
var sessionKind = endingKind(
  async () => (await import("./session-record-IIJFR2QS.js")).sessionRecord,
  ({ ambient, created_at }) => ambient ? null : created_at,
  {
    indexes: {
      secret: { key: (it) => it.ambient ? null : it.secret },
      user: { key: (it) => it.user },
      ambient: { key: (it) => it.ambient ? "ambient" : null }
    },
    fixture: "plain",
    counted: true
  }
);

// src/world/clock-kind.ts
var clockKind = kind(async () => (await import("./clock-record-6VCKIONK.js")).clockRecord, {
  indexes: {},
  fixture: "none"
});

// src/world/fixture-settings-kind.ts
var fixtureSettingsKind = kind(
  async () => (await import("./fixture-settings-record-K43MCGVE.js")).fixtureSettingsRecord,
  {
    indexes: {},
    fixture: "none"
  }
);

// src/start/kinds.ts
var kinds = {
  organizations: organizationKind,
  users: userKind,
  memberships: membershipKind,
  courses: courseKind,
  course_members: courseMemberKind,
  modules: moduleKind,
  elements: elementKind,
  activities: activityKind,
  apps: appKind,
  installations: installationKind,
  tokens: tokenKind,
  codes: codeKind,
  sessions: sessionKind,
  deliveries: deliveryKind,
  keys: keyKind,
  silent_auth: silentAuthKind,
  faults: faultKind,
  clock: clockKind,
  fixture_settings: fixtureSettingsKind
};

// src/start/surfaces.ts
var isBelow = (path, folder2) => path === folder2 || path.startsWith(`${folder2}/`);
var surfaces = [
  {
    owns: (path) => path === "/healthz",
    load: async () => (await import("./health.surface-XWYK7O6U.js")).healthSurface
  },
  {
    owns: (path) => isBelow(path, "/v0"),
    async load() {
      const [{ apiSurface }, { apiRoutes }] = await Promise.all([
        import("./api.surface-6ATAK24F.js"),
        import("./api.routes-ST63DXAI.js")
      ]);
      return apiSurface(apiRoutes);
    }
  },
  {
    owns: (path) => path === "/oauth/authorize",
    async load() {
      const { authorizeSurface, authorizeRoutes } = await import("./authorize.routes-5LHMGUT7.js");
      return authorizeSurface(authorizeRoutes);
    }
  },
  {
    owns: (path) => path.startsWith("/oauth/") || path.startsWith("/.well-known/"),
    async load() {
      const [{ oauthSurface }, { oauthRoutes }] = await Promise.all([
        import("./oauth.surface-SERJMQ4D.js"),
        import("./oauth.routes-ZU4QWNAI.js")
      ]);
      return oauthSurface(oauthRoutes);
    }
  },
  {
    owns: (path) => isBelow(path, "/_admin") || isBelow(path, "/_console"),
    async load() {
      const [{ adminSurface }, { adminRoutes }, { streamRoutes }, { consoleRoutes }] = await Promise.all([
        import("./admin.surface-ULX4TC6T.js"),
        import("./admin.routes-D4U25TMX.js"),
        import("./stream.routes-FRMYGKUP.js"),
        import("./console.routes-VIIZH5KT.js")
      ]);
      return adminSurface([...adminRoutes, ...streamRoutes, ...consoleRoutes]);
    }
  },
  {
    owns: (path) => path.startsWith("/_inbox/"),
    async load() {
      const [{ inboxSurface }, { inboxRoutes }] = await Promise.all([
        import("./inbox.surface-ZZ4K56RE.js"),
        import("./inbox.routes-V52VIJ4B.js")
      ]);
      return inboxSurface(inboxRoutes);
    }
  },
  {
    owns: () => true,
    async load() {
      const [{ webSurface }, { webRoutes }] = await Promise.all([
        import("./web.surface-PGH5HIPQ.js"),
        import("./web.routes-YHSJAFWV.js")
      ]);
      return webSurface(webRoutes);
    }
  }
];

// src/start/launch.ts
async function launch(options = {}) {
  const { fixtures, fresh, resume, index = 0, neighbours = [], onInternalError = reportInternalError } = options;
  const defaults = { port: 0, ...await checkSettings(options.defaults ?? {}) };
  const given = await givenSettings(options);
  const seed = options.from ?? await namingFixtures(() => readSeed(fixtures));
  const storePath = given.store ?? seed.settings.store ?? defaults.store ?? "memory";
  const file = storePath === "memory" ? void 0 : await openStoreFile(storePath, { kinds, version, fresh });
  let server;
  try {
    const loaded = file?.loaded;
    if (loaded && fixtures !== void 0 && !resume && loaded.seeded_from !== seed.hash) {
      throw otherFixtures(storePath);
    }
    const seeding = loaded ? loaded.collections.fixture_settings?.[0]?.values : seed.settings;
    const random = createRandom(given.seed ?? seeding?.seed);
    let durable;
    const store = createStore({ kinds, random, durability: { append: (...change) => appendTo(durable, ...change) } });
    const closing = new AbortController();
    setMaxListeners2(0, closing.signal);
    let listening = "";
    const settingsOf = cachedBy(
      (fixture) => resolveSettings(given, fixture?.values ?? {}, defaults)
    );
    const world2 = {
      store,
      random,
      clock: createClock(store),
      journal: createJournal(() => world2.settings),
      stream: createStream(),
      post: createPost(() => world2),
      outbox: createOutbox(
        () => world2,
        createInstallationListener(() => world2)
      ),
      inboxes: createInboxes(),
      keys: createKeyRing(() => world2),
      rateLimiter: createRateLimiter(),
      holds: createHolds(store),
      findings: createFindings(
        () => world2,
        () => performance.now()
      ),
      formKey: createFormKey(given.seed ?? seeding?.seed),
      get settings() {
        return settingsOf(store.fixture_settings.get("settings"));
      },
      get addresses() {
        const { settings } = world2;
        const app_url = settings.app_url ?? listening;
        return { base_url: listening, app_url, browser_url: settings.browser_url ?? app_url };
      },
      origin: {
        world: loaded ? "resumed" : "seeded",
        store: storePath,
        fixture_secrets: loaded?.fixture_secrets ?? [],
        worlds: neighbours,
        given
      },
      closing: closing.signal
    };
    world2.journal.onEntry((entry) => world2.findings.judge(entry));
    if (loaded) {
      store.load(loaded.collections, loaded.counters);
    } else {
      await namingFixtures(async () => seedWorld(world2, seed, { ...seeding, ...given }, options.announce !== false));
      world2.origin.fixture_secrets = seed.secrets();
    }
    const waiting = [];
    let serving = false;
    const begin = () => {
      serving = true;
      for (const listen2 of waiting.splice(0)) listen2();
    };
    const { listen: answer, ...classes } = createListener(world2, surfaces, onInternalError);
    const listeningServer = await createServerFor(world2, classes, (request, response) => {
      if (serving) answer(request, response);
      else waiting.push(() => answer(request, response));
    });
    server = listeningServer;
    server.keepAliveTimeout = 0;
    const { port, host } = world2.settings;
    const actualPort = await listen(listeningServer, port, host);
    listening = world2.settings.https ? `https://localhost:${actualPort}` : `http://127.0.0.1:${actualPort}`;
    neighbours.push({ index, url: listening });
    await file?.begin(() => contentsOf(world2, seed.hash));
    durable = file;
    publishEvents(world2);
    world2.keys.prepare();
    store.mark(START, world2.clock.timestamp(), neverSent(world2));
    world2.outbox.resume();
    begin();
    return {
      url: listening,
      world: world2,
      notes: file?.notes ?? [],
      async close() {
        closing.abort();
        world2.clock.close();
        world2.keys.close();
        world2.outbox.abortAll();
        await new Promise((resolve2) => {
          listeningServer.close(() => resolve2());
          listeningServer.closeAllConnections();
        });
        await file?.close(() => contentsOf(world2, seed.hash));
        durable = void 0;
      }
    };
  } catch (error) {
    server?.close();
    file?.abandon();
    throw error;
  }
}
async function givenSettings(options) {
  const {
    fixtures: _,
    fresh: __,
    resume: ___,
    index: ____,
    neighbours: _____,
    onInternalError: ______,
    defaults: _______,
    announce: ________,
    from: _________,
    ...settings
  } = options;
  return {
    ...await checkSettings(settingsFromEnvironment(process.env)),
    ...await checkSettings(Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== void 0)))
  };
}
var otherFixtures = (file) => new StartRefusal(
  2,
  `The store ${file} was seeded from other fixtures than those given. Start with --fresh to seed it again (the old store is kept beside it), or with --resume to go on with it as it is.`
);
function contentsOf({ store, origin: { fixture_secrets } }, seeded_from) {
  const collections = {};
  for (const [name, record2] of store.records()) {
    collections[name] ??= [];
    collections[name].push(record2);
  }
  return { seeded_from, fixture_secrets, counters: store.counters(), collections };
}
function seedWorld(world2, seed, settings, announce) {
  world2.store.change((tx) => {
    tx.put("clock", startClock(settings));
    seed.put(world2, tx, announce);
  });
}
var neverSent = ({ store }) => [...store.deliveries.in("open", "all")].filter(({ event, attempts, held: held2 }) => event.type === "app.installed" && attempts.length === 0 && held2 === null).map(({ id }) => ["deliveries", id]);
function appendTo(file, ...change) {
  try {
    file?.append(...change);
  } catch (error) {
    if (!(error instanceof StoreWriteError)) throw error;
    throw new Refusal("store_unwritable", { reason: error.message });
  }
}
async function createServerFor(world2, classes, listener) {
  const { https, app_url, browser_url, trust_hosts } = world2.settings;
  if (!https) return createServer(classes, listener);
  const origins = [app_url, browser_url].filter((url) => url !== void 0);
  const hosts = [...origins.map((url) => new URL(url).hostname.replace(/^\[|\]$/g, "")), ...trust_hosts];
  const [tls, { serverCertificate }, authority] = await Promise.all([
    import("node:https"),
    import("./certificates-2OGAVKQ5.js"),
    localAuthority()
  ]);
  return tls.createServer({ ...classes, ...await serverCertificate(authority, hosts) }, listener);
}
var listen = (server, port, host) => new Promise((resolve2, reject) => {
  server.once("error", (error) => {
    const taken = `Port ${port} is in use. Choose another with --port, or --port 0 for any free one.`;
    const why = error.code === "EADDRINUSE" ? taken : `Cannot listen on ${host}:${port}: ${error.message}`;
    reject(new StartRefusal(1, why));
  });
  server.listen(port, host, () => {
    server.removeAllListeners("error");
    resolve2(server.address().port);
  });
});
function cachedBy(make) {
  let made;
  return (key) => {
    if (!made || made.key !== key) made = { key, value: make(key) };
    return made.value;
  };
}
var reportInternalError = (error) => void process.stderr.write(`mockademy: internal error: ${inspect(error)}
`);

// src/cli/compile-default-world.ts
var document = JSON.parse(readFileSync6("fixtures/default.json", "utf8"));
if (document.settings ?? document.clock) throw new Error("fixtures/default.json must have neither settings nor a clock");
var sources = [{ document }];
var { world, close } = await launch({ fixtures: {}, now: MOMENT, store: "memory" });
var { draws } = world.store.counters();
var { drafts, installations } = world.store.change((tx) => compileFixtures(world, tx, sources, false));
if (world.store.counters().draws !== draws) {
  throw new Error(
    "fixtures/default.json must give every id and secret: what is generated is to be another one each time"
  );
}
var compiled = {
  hash: hashOf(sources),
  secrets: secretsOf(sources),
  drafts: drafts.map(({ collection, draft }) => ({ collection, draft })),
  installations
};
process.stdout.write(JSON.stringify(compiled));
await close();
