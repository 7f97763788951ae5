import {
  kindsOfText,
  settingNames,
  settingTable
} from "./chunk-6VLNLZIY.js";
import {
  parseDuration
} from "./chunk-7L5WAEY2.js";

// src/world/clock.ts
var LONGEST_TIMEOUT = 2 ** 31 - 1;
var write = (ms) => new Date(ms).toISOString();
var written = { ms: 0, timestamp: write(0) };
function toTimestamp(ms) {
  if (written.ms !== ms) written = { ms, timestamp: write(ms) };
  return written.timestamp;
}
function createClock(store) {
  const entries = /* @__PURE__ */ new Map();
  let timer;
  let advancing = false;
  let closed = false;
  let epoch = 0;
  const record = () => store.clock.get("clock") ?? startClock({});
  const set = (state) => store.change((tx) => tx.put("clock", { ...record(), ...state }));
  const now = () => {
    const { frozen, at, offset } = record();
    return frozen && at ? Date.parse(at) : Date.now() + offset;
  };
  const next = () => {
    let earliest;
    for (const entry of entries) if (!earliest || entry[1].due < earliest[1].due) earliest = entry;
    return earliest;
  };
  const runDue = async (until) => {
    const started = epoch;
    for (let instant = next()?.[1].due; instant !== void 0 && instant <= until; instant = next()?.[1].due) {
      if (started !== epoch) return;
      const due = [...entries].filter(([, entry]) => entry.due === instant);
      for (const [id] of due) entries.delete(id);
      await Promise.all(due.map(([, entry]) => entry.run()));
    }
  };
  const arm = () => {
    clearTimeout(timer);
    const earliest = next();
    if (closed || advancing || !earliest) return;
    const wait = earliest[1].due - now();
    if (record().frozen && wait > 0) return;
    timer = setTimeout(() => void runDue(now()).finally(arm), Math.min(Math.max(wait, 0), LONGEST_TIMEOUT));
  };
  return {
    now,
    timestamp: (ms = 0) => toTimestamp(now() + ms),
    state: () => {
      const { frozen, offset } = record();
      return { now: toTimestamp(now()), frozen, offset: frozen ? now() - Date.now() : offset };
    },
    freeze(at = now()) {
      set({ frozen: true, at: toTimestamp(at), offset: record().offset });
      arm();
    },
    resume() {
      set({ frozen: false, at: null, offset: record().frozen ? now() - Date.now() : record().offset });
      arm();
    },
    async advance(by) {
      if (advancing) return false;
      advancing = true;
      clearTimeout(timer);
      const move = (to) => {
        const { frozen, offset } = record();
        if (frozen) set({ frozen, at: toTimestamp(to), offset });
        else if (to > now()) set({ frozen, at: null, offset: offset + to - now() });
      };
      const started = epoch;
      try {
        const target = now() + by;
        for (let due = next()?.[1].due; due !== void 0 && due <= target && !closed; due = next()?.[1].due) {
          if (started !== epoch) break;
          move(Math.max(due, now()));
          await runDue(due);
        }
        if (started === epoch) move(Math.max(target, now()));
      } finally {
        advancing = false;
        arm();
      }
      return true;
    },
    schedule(id, due, run) {
      entries.set(id, { due, run });
      arm();
    },
    cancel(id) {
      entries.delete(id);
      arm();
    },
    cancelAll() {
      epoch++;
      entries.clear();
      clearTimeout(timer);
    },
    close() {
      closed = true;
      clearTimeout(timer);
    }
  };
}
function startClock({ seed, now }) {
  const stopped = now ?? (seed === void 0 ? void 0 : toTimestamp(Date.now()));
  const at = stopped === void 0 ? void 0 : Date.parse(stopped);
  return {
    id: "clock",
    sequence: 0,
    created_at: toTimestamp(at ?? Date.now()),
    frozen: at !== void 0,
    at: at === void 0 ? null : toTimestamp(at),
    offset: 0
  };
}

// src/world/settings.ts
var settingDefaults = {
  port: 4600,
  host: "127.0.0.1",
  https: false,
  trust_hosts: [],
  store: "memory",
  page_size: 50,
  access_token_ttl: parseDuration("1h"),
  id_token_ttl: parseDuration("1h"),
  refresh_token_ttl: parseDuration("30d"),
  code_ttl: parseDuration("10m"),
  ack_window: parseDuration("3s"),
  attempt_timeout: parseDuration("10s"),
  retry_schedule: [parseDuration("10s"), parseDuration("100s")],
  header_prefix: "Platform",
  allow_public_webhooks: false,
  element_type_names: {},
  journal_size: 1e3,
  journal_admin: false,
  retention: 1e4,
  worlds: 1
};
function resolveSettings(...layers) {
  const given = layers.toReversed().map((layer) => Object.entries(layer).filter(([, value]) => value !== void 0));
  return Object.assign({}, settingDefaults, ...given.map((entries) => Object.fromEntries(entries)));
}
var InvalidSettingsError = class extends Error {
  constructor(issues) {
    super(`Invalid settings: ${issues.map(({ path, message }) => `${path} ${message}`).join("; ")}`);
    this.issues = issues;
    this.name = "InvalidSettingsError";
  }
  issues;
};
async function checkSettings(given) {
  const isPlain = ([name, value]) => Object.hasOwn(settingTable, name) && settingTable[name].fits(value);
  if (Object.entries(given).every(isPlain)) return given;
  const [{ settingsSchema }, { describeIssue, issuesOf }] = await Promise.all([
    import("./setting-schemas-W4IOKPQX.js"),
    import("./schema-issues-AFWWREYM.js")
  ]);
  const result = settingsSchema.safeParse(given, { error: describeIssue });
  if (result.success) return result.data;
  throw new InvalidSettingsError(issuesOf(result.error));
}
var settingFromText = (name, text) => kindsOfText[settingTable[name].kind](text);
var environmentName = (name) => `MOCKADEMY_${name.toUpperCase()}`;
function settingsFromEnvironment(environment) {
  return Object.fromEntries(
    settingNames.flatMap((name) => {
      const text = environment[environmentName(name)];
      return text ? [[name, settingFromText(name, text)]] : [];
    })
  );
}
var worldSettings = (given) => Object.fromEntries(
  Object.entries(given).filter(([name, value]) => value !== void 0 && !settingTable[name].process)
);

// src/world/world.ts
var START = "start";

// src/journal/redact.ts
var HIDDEN = "[redacted]";
var secretFields = /* @__PURE__ */ new Set([
  "authtoken",
  "key",
  "password",
  "assertion",
  "accesstoken",
  "refreshtoken",
  "idtoken",
  "idtokenhint",
  "clientsecret",
  "clientassertion",
  "signingsecret",
  "apikey",
  "code",
  "codeverifier",
  "admintoken",
  "csrf",
  "cookie",
  "token",
  "secret",
  "privatejwk"
]);
var nameOf = (field) => field.toLowerCase().replace(/^x-|[^a-z]/g, "");
var secretHeaders = /^(authorization|cookie|set-cookie|proxy-authorization|.+-signature)$/i;
var addressHeaders = /^(location|referer)$/i;
var isSecret = (name) => secretFields.has(nameOf(name)) || secretHeaders.test(name);
var redactHeaders = (headers) => Object.fromEntries(
  Object.entries(headers).map(([name, value]) => [
    name,
    isSecret(name) ? HIDDEN : addressHeaders.test(name) ? redactAddress(String(value)) : String(value)
  ])
);
function redactValue(value) {
  if (typeof value === "string") return redactText(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecret(name) && inner !== null ? HIDDEN : redactValue(inner)
    ])
  );
}
function redactText(text) {
  if (!/^\s*[{[]/.test(text)) return text;
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    const names = [...text.matchAll(/"([^"]+)"\s*:/g)].map(([, name]) => name);
    return names.some(isSecret) ? `[${text.length} characters that are not JSON]` : text;
  }
  const shown = JSON.stringify(redactValue(value));
  return shown === JSON.stringify(value) ? text : shown;
}
var redactParameters = (parameters) => Object.fromEntries([...parameters].map(([name, value]) => [name, isSecret(name) ? HIDDEN : value]));
function redactBody(body, contentType, length) {
  if (body === void 0 || body.length === 0) return null;
  const text = body.toString();
  const whole = length ?? Buffer.byteLength(body);
  const isCut = Buffer.byteLength(body) < whole;
  if (/json/i.test(contentType)) {
    if (isCut) return redactBeginning(text);
    try {
      return redactValue(JSON.parse(text));
    } catch {
      return `[${text.length} characters that are not JSON]`;
    }
  }
  if (/x-www-form-urlencoded/i.test(contentType)) return redactParameters(new URLSearchParams(text));
  return `[${whole} bytes of ${contentType || "unknown type"}]`;
}
var redactBeginning = (text) => text.replace(
  /(\\*")([^"\\]+)\1(\s*:\s*)\1((?:(?!\1)[\s\S])*)(\1|$)/g,
  (whole, quote, name, colon) => isSecret(name) ? `${quote}${name}${quote}${colon}${quote}${HIDDEN}${quote}` : whole
);
function redactAddress(address) {
  const question = address.indexOf("?");
  if (question < 0) return address;
  return `${address.slice(0, question)}?${new URLSearchParams(redactParameters(new URLSearchParams(address.slice(question + 1))))}`;
}

// src/journal/present-entry.ts
function presentEntry(entry) {
  const { identity, notes, request, response } = entry;
  return {
    id: entry.id,
    at: entry.at,
    surface: entry.surface,
    method: entry.method,
    path: entry.path,
    query: redactParameters(new URLSearchParams(entry.search)),
    status: entry.status,
    duration: entry.duration,
    app: identity.app ?? null,
    organization: identity.organization ?? null,
    user: identity.user ?? null,
    reason: notes.reason ?? null,
    fault: notes.fault ?? null,
    warnings: notes.warnings ?? [],
    request: presentMessage(request, ""),
    response: presentMessage(response, "application/json")
  };
}
var presentMessage = ({ headers, body, length }, assumedType) => ({
  headers: redactHeaders(headers),
  body: redactBody(body, String(headers["content-type"] ?? assumedType), length),
  length
});

// src/admin/handlers/present-delivery.ts
var presentDelivery = (delivery) => ({
  id: delivery.id,
  event: delivery.event,
  installation: delivery.installation,
  organization: delivery.organization,
  url: delivery.url,
  state: delivery.state,
  due_at: delivery.due_at,
  attempts: delivery.attempts.map((attempt) => presentAttempt(attempt, delivery.body))
});
var presentAttempt = ({ request, response, ...attempt }, body) => ({
  ...attempt,
  request: {
    headers: redactHeaders(request.headers),
    body: redactBody(request.body ?? body, "application/json")
  },
  response: response && {
    headers: redactHeaders(response.headers),
    body: redactBody(response.body, response.headers["content-type"] ?? "text/plain")
  }
});

// src/webhooks/retry.ts
function afterFailure(world, { tries }) {
  const wait = world.settings.retry_schedule[tries];
  if (wait === void 0) return ended(world, "failed", tries + 1);
  return { state: "retrying", due_at: world.clock.timestamp(wait), ended_at: null, tries: tries + 1 };
}
var ended = (world, state, tries) => ({
  state,
  due_at: null,
  ended_at: world.clock.timestamp(),
  tries
});

export {
  presentEntry,
  presentDelivery,
  afterFailure,
  ended,
  createClock,
  startClock,
  resolveSettings,
  checkSettings,
  settingsFromEnvironment,
  worldSettings,
  START
};
