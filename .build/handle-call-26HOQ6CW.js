import {
  cookieName,
  endSessions,
  startSession
} from "./chunk-XGY7QMYP.js";
import {
  jsonBody,
  parse
} from "./chunk-KIUJWS5H.js";
import {
  queryObject
} from "./chunk-5H4UC7ZU.js";
import {
  health
} from "./chunk-VYH3Q4FP.js";
import "./chunk-3PINOHQ4.js";
import "./chunk-6ONNPK7B.js";
import {
  START,
  ended,
  presentDelivery,
  presentEntry,
  startClock,
  worldSettings
} from "./chunk-BDNL3X4C.js";
import {
  version
} from "./chunk-67UOJKEN.js";
import {
  matchesPath,
  timesLeft
} from "./chunk-H2GNJO72.js";
import {
  loadFixtures
} from "./chunk-Y6TB75EN.js";
import {
  LATEST,
  schemas
} from "./chunk-53NL6X53.js";
import {
  strict
} from "./chunk-ZTFQIRJI.js";
import "./chunk-QF2FVXPZ.js";
import {
  entryOf
} from "./chunk-YPZAJWLO.js";
import {
  isLifecycleEvent
} from "./chunk-IGN2O7BR.js";
import "./chunk-UOQ57ESE.js";
import "./chunk-H6YDQLWR.js";
import {
  forceOutcome
} from "./chunk-7PX5YLRV.js";
import {
  fixtureDocument,
  plainNames
} from "./chunk-G374MYAP.js";
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
import "./chunk-3H6G6YER.js";
import {
  addOrganization,
  deleteOrganization,
  findUser,
  install,
  putDelivery,
  regenerateApiKey,
  removeMember,
  uninstall,
  upgrade
} from "./chunk-D4TRWNWV.js";
import {
  findApp,
  installedManifest,
  manifestScopes,
  manifestWarnings,
  newestManifest
} from "./chunk-JFX54X37.js";
import {
  endTokens,
  expireTokens,
  mintPair,
  presentPair,
  tokenState
} from "./chunk-SQXZWWAL.js";
import "./chunk-BZLA7KRH.js";
import "./chunk-V3RODA4B.js";
import "./chunk-DASGZFY7.js";
import "./chunk-KMQ55J3A.js";
import {
  Refusal,
  invalid
} from "./chunk-MW7MI5LZ.js";
import "./chunk-OEGBZOM3.js";
import "./chunk-6VLNLZIY.js";
import "./chunk-JD7TKZ54.js";
import "./chunk-OLY32F6C.js";
import "./chunk-7L5WAEY2.js";
import "./chunk-Z4UT4XDO.js";
import "./chunk-PA6CYUBJ.js";
import {
  isObject
} from "./chunk-ELCYYWVK.js";

// src/apps/apps.ts
function createApp(world, request) {
  const { random, clock, store } = world;
  const { manifest, client_id = `app_${random.id()}` } = request;
  for (const name of [manifest.id, client_id]) {
    if (findApp(world, name)) throw new Refusal("conflict", { message: `There is an app "${name}" already` });
  }
  return store.change((tx) => {
    const app = {
      id: manifest.id,
      sequence: tx.next(),
      created_at: clock.timestamp(),
      client_id,
      client_secret: request.client_secret ?? random.secret("cs_"),
      signing_secret: request.signing_secret ?? random.secret("ss_"),
      versions: [{ version: manifest.version, manifest, pushed_at: clock.timestamp() }]
    };
    tx.put("apps", app);
    return app;
  });
}
function pushManifest(world, app, manifest) {
  if (manifest.id !== app.id) {
    throw invalid([{ path: "id", message: `must be "${app.id}", the id of the app it is pushed to` }]);
  }
  const pushed = { version: manifest.version, manifest, pushed_at: world.clock.timestamp() };
  const exists = app.versions.some(({ version: version2 }) => version2 === manifest.version);
  const versions = exists ? app.versions.map((each) => each.version === manifest.version ? pushed : each) : [...app.versions, pushed];
  return world.store.change((tx) => {
    const after = { ...app, versions };
    tx.put("apps", after);
    return after;
  });
}
function deleteApp(world, app) {
  world.store.change((tx) => tx.removeWhole("apps", app.id));
}

// src/admin/handlers/no-such.ts
function noSuch(what, name, existing) {
  const names = [...existing];
  const shown = names.length > 20 ? `${names.slice(0, 20).join(", ")} and ${names.length - 20} more` : names.join(", ");
  return new Refusal("not_found", { message: `There is no ${what} "${name}"; there are: ${shown || "none"}` });
}

// src/admin/handlers/named-records.ts
function appOf(world, name) {
  const app = findApp(world, name);
  if (app) return app;
  const ids = [...world.store.apps.all].map(({ id }) => id);
  throw noSuch("app", name, ids);
}
function organizationOf(world, slug) {
  const organization = world.store.organizations.get(slug);
  if (organization) return organization;
  const slugs = [...world.store.organizations.all].map(({ id }) => id);
  throw noSuch("organization", slug, slugs);
}
function userOf(world, idOrEmail) {
  const user = findUser(world, idOrEmail);
  if (user) return user;
  const emails = [...world.store.users.all].map(({ email: email2 }) => email2);
  throw noSuch("user", idOrEmail, emails);
}
function installationOf(world, id) {
  const installation = world.store.installations.get(id);
  if (installation) return installation;
  const ids = [...world.store.installations.all].map((each) => each.id);
  throw noSuch("installation", id, ids);
}

// src/admin/handlers/apps.handlers.ts
var presentApp = (app) => ({
  id: app.id,
  client_id: app.client_id,
  name: newestManifest(app).name,
  signing_secret: app.signing_secret,
  versions: app.versions
});
function warningsOf(manifest, warn, prefix = "") {
  const warnings = manifestWarnings(manifest).map(({ path, message }) => ({ path: prefix + path, message }));
  for (const warning of warnings) warn({ code: "manifest_refused_by_platform", ...warning });
  return warnings.length > 0 ? { warnings } : {};
}
var appHandlers = {
  listApps: (world) => [...world.store.apps.all].map(presentApp),
  createApp(world, { body, warn }) {
    const app = createApp(world, body);
    const warned = warningsOf(body.manifest, warn, "manifest.");
    return { ...presentApp(app), client_secret: app.client_secret, ...warned };
  },
  getApp: (world, { params }) => presentApp(appOf(world, params.app)),
  deleteApp(world, { params }) {
    const app = appOf(world, params.app);
    deleteApp(world, app);
    return presentApp(app);
  },
  pushManifest(world, input) {
    const existing = appOf(world, input.params.app);
    const { body, warn } = input;
    const app = pushManifest(world, existing, body);
    return { ...presentApp(app), ...warningsOf(body, warn) };
  }
};

// src/admin/handlers/clock.handlers.ts
var clockHandlers = {
  clock: (world) => world.clock.state(),
  async advanceClock(world, { body: { by } }) {
    if (world.clock.now() + by > LATEST) {
      throw new Refusal("invalid", { details: [{ path: "by", message: "leads past the year 9000" }] });
    }
    if (!await world.clock.advance(by)) {
      throw new Refusal("conflict", { message: "The clock is being advanced by another call; wait for its answer" });
    }
    return world.clock.state();
  },
  freezeClock(world, { body: { at } }) {
    world.clock.freeze(at);
    return world.clock.state();
  },
  resumeClock(world) {
    world.clock.resume();
    return world.clock.state();
  }
};

// src/apps/custom-events.ts
import { setTimeout as wait } from "node:timers/promises";
async function sendEvent(world, request, signal) {
  const { type, data, installation } = request;
  if (installation.state !== "installed") {
    const message = `The installation ${installation.id} is ${installation.state}; events go to installed apps only`;
    throw new Refusal("conflict", { message });
  }
  const webhook = installedManifest(world, installation)?.webhook;
  if (!webhook) {
    const message = `Version ${installation.version} of ${installation.app} has no webhook to send the event to`;
    throw new Refusal("conflict", { message });
  }
  const wanted = isLifecycleEvent(type) || webhook.events === void 0 || webhook.events.includes(type);
  const delivery = world.store.change((tx) => {
    const record = putDelivery(world, tx, { type, data, installation, url: webhook.url });
    if (wanted) return record;
    const dropped = { ...record, ...ended(world, "dropped", 0) };
    tx.put("deliveries", dropped);
    return dropped;
  });
  if (!wanted) return delivery;
  const over = new AbortController();
  const either = AbortSignal.any([over.signal, signal]);
  const windowEnd = wait(world.settings.ack_window, void 0, { signal: either }).catch(() => void 0);
  try {
    const attempted = await Promise.race([world.outbox.deliver(delivery), windowEnd]);
    return attempted ?? world.store.deliveries.get(delivery.id) ?? delivery;
  } finally {
    over.abort();
  }
}

// src/webhooks/wait-until.ts
import { setTimeout as wait2 } from "node:timers/promises";
async function until(look, subscribe, { timeout, signal }) {
  const found = look();
  if (found !== void 0 || timeout <= 0) return found;
  const over = new AbortController();
  let result;
  const unsubscribe = subscribe(() => {
    result = look();
    if (result !== void 0) over.abort();
  });
  const either = AbortSignal.any([over.signal, signal]);
  await wait2(Math.min(timeout, 2 ** 31 - 1), void 0, { signal: either }).catch(() => void 0);
  unsubscribe();
  return result ?? look();
}

// src/webhooks/settled.ts
async function settled(world, timeout, signal) {
  await until(
    () => world.outbox.waiting().length === 0 ? true : void 0,
    (listener) => world.outbox.onEnd(listener),
    { timeout, signal }
  );
  return world.outbox.waiting();
}

// src/admin/handlers/deliveries.handlers.ts
function deliveryOf(world, id) {
  const delivery = world.store.deliveries.get(id);
  if (delivery) return delivery;
  const ids = [...world.store.deliveries.all].map((each) => each.id);
  throw noSuch("delivery", id, ids);
}
var deliveryHandlers = {
  listDeliveries(world, { query: { event, installation, organization, state } }) {
    if (installation !== void 0) installationOf(world, installation);
    if (organization !== void 0) organizationOf(world, organization);
    const { deliveries } = world.store;
    const among = installation !== void 0 ? deliveries.in("installation", installation) : organization !== void 0 ? deliveries.in("organization", organization) : deliveries.all;
    return [...among].filter(
      (it) => (event === void 0 || it.event.type === event) && (organization === void 0 || it.organization === organization) && (state === void 0 || it.state === state)
    ).map(presentDelivery);
  },
  async deliveriesSettled(world, { query: { timeout }, signal }) {
    const waiting = await settled(world, timeout, signal);
    return waiting.length === 0 ? { settled: true } : { settled: false, waiting };
  },
  getDelivery: (world, { params }) => presentDelivery(deliveryOf(world, params.id)),
  redeliver: async (world, { params }) => presentDelivery(await world.outbox.redeliver(deliveryOf(world, params.id))),
  async sendEvent(world, { body: { type, installation: id, data }, signal }) {
    const installation = installationOf(world, id);
    return presentDelivery(await sendEvent(world, { type, data, installation }, signal));
  },
  async readInbox(world, { params, query: { event, wait: wait3 }, signal }) {
    const matching2 = () => {
      const found = world.inboxes.entries(params.name).filter((entry) => event === void 0 || entry.event === event);
      return found.length > 0 ? found : void 0;
    };
    return await until(matching2, (listener) => world.inboxes.onEntry(listener), { timeout: wait3, signal }) ?? [];
  },
  setInbox(world, { params: { name }, body }) {
    world.inboxes.behave(name, body);
    return { name, ...body };
  },
  emptyInbox(world, { params }) {
    const deleted = world.inboxes.entries(params.name);
    world.inboxes.empty(params.name);
    return deleted;
  }
};

// src/admin/handlers/faults.handlers.ts
function presentFault(fault) {
  const { sequence: _, seen: __, ...fields } = fault;
  return { ...fields, left: timesLeft(fault) };
}
var faultHandlers = {
  addFault(world, { body: { expires_in, times = null, ...given } }) {
    const { app, organization } = given.match;
    if (app !== void 0) appOf(world, app);
    if (organization !== void 0) organizationOf(world, organization);
    const fault = world.store.change((tx) => {
      const record = {
        id: world.random.id(),
        sequence: tx.next(),
        created_at: world.clock.timestamp(),
        ...given,
        times,
        expires_at: expires_in === void 0 ? null : world.clock.timestamp(expires_in),
        seen: 0,
        hits: 0
      };
      tx.put("faults", record);
      return record;
    });
    return presentFault(fault);
  },
  listFaults: (world) => [...world.store.faults.all].map(presentFault),
  clearFaults(world) {
    const faults = [...world.store.faults.all];
    world.store.change((tx) => {
      for (const { id } of faults) tx.remove("faults", id);
    });
    return faults.map(presentFault);
  },
  deleteFault(world, { params }) {
    const fault = world.store.faults.get(params.id);
    if (!fault) {
      const ids = [...world.store.faults.all].map(({ id }) => id);
      throw noSuch("fault", params.id, ids);
    }
    world.store.change((tx) => tx.remove("faults", fault.id));
    return presentFault(fault);
  }
};

// src/admin/handlers/findings.handlers.ts
var listed = (world) => world.findings.list();
var findingHandlers = {
  listFindings(world, { query: { app, rule, level } }) {
    const id = app === void 0 ? void 0 : appOf(world, app).id;
    return listed(world).filter(
      (finding) => (id === void 0 || finding.app === id) && (rule === void 0 || finding.rule === rule) && (level === void 0 || finding.level === level)
    );
  },
  clearFindings(world) {
    const findings = listed(world);
    world.findings.clear();
    return findings;
  }
};

// src/admin/handlers/installations.handlers.ts
var presentInstallation = (record) => ({
  id: record.id,
  app: record.app,
  organization: record.organization,
  version: record.version,
  installer: record.installer,
  state: record.state,
  scope: record.scope,
  installed_at: record.installed_at,
  ended_at: record.ended_at
});
var presentInstall = ({ installation, delivery, ...result }) => ({
  installation: presentInstallation(installation),
  delivery: delivery && presentDelivery(delivery),
  redirect_url: result.redirect_url,
  credentials: result.credentials
});
var installationHandlers = {
  listInstallations(world, { query: { app, organization, state } }) {
    const appId = app === void 0 ? void 0 : appOf(world, app).id;
    if (organization !== void 0) organizationOf(world, organization);
    const { installations } = world.store;
    const among = organization !== void 0 ? installations.in("organization", organization) : appId !== void 0 ? installations.in("app", appId) : installations.all;
    return [...among].filter((it) => (appId === void 0 || it.app === appId) && (state === void 0 || it.state === state)).map(presentInstallation);
  },
  async install(world, { body: { installer, ...body } }) {
    const app = appOf(world, body.app);
    const organization = organizationOf(world, body.organization).id;
    const user = installer === void 0 ? null : userOf(world, installer).id;
    return presentInstall(await install(world, { ...body, app, organization, installer: user }));
  },
  getInstallation: (world, { params }) => presentInstallation(installationOf(world, params.id)),
  async upgrade(world, input) {
    const installation = installationOf(world, input.params.id);
    return presentInstall(await upgrade(world, installation, input.body.version));
  },
  async uninstall(world, { params }) {
    const { installation, delivery } = await uninstall(world, installationOf(world, params.id));
    return { installation: presentInstallation(installation), delivery: delivery && presentDelivery(delivery) };
  }
};

// src/admin/handlers/organizations.handlers.ts
function presentOrganization(world, organization) {
  const { id, name, created_at, api_key } = organization;
  const { store } = world;
  const members = [...store.memberships.in("organization", id)].map(
    ({ user, role }) => presentMembership(world, user, role)
  );
  const counts = {
    members: members.length,
    courses: store.courses.in("organization", id).size,
    modules: store.modules.in("organization", id).size,
    elements: store.elements.in("organization", id).size,
    activities: store.activities.in("organization", id).size,
    installations: store.installations.in("organization", id).size
  };
  return { slug: id, name, created_at, members, api_key_last_four: api_key?.slice(-4) ?? null, counts };
}
var presentMembership = (world, user, role) => ({
  user,
  email: world.store.users.get(user)?.email ?? "",
  role
});
var organizationHandlers = {
  listOrganizations: (world) => [...world.store.organizations.all].map((each) => presentOrganization(world, each)),
  createOrganization: (world, { body: { slug, name } }) => presentOrganization(world, addOrganization(world, slug, name)),
  getOrganization: (world, { params }) => presentOrganization(world, organizationOf(world, params.slug)),
  deleteOrganization(world, { params }) {
    const organization = organizationOf(world, params.slug);
    const shown = presentOrganization(world, organization);
    deleteOrganization(world, organization);
    return shown;
  },
  generateApiKey: (world, { params }) => ({ api_key: regenerateApiKey(world, organizationOf(world, params.slug)) }),
  putMember(world, input) {
    const organization = organizationOf(world, input.params.slug);
    const user = userOf(world, input.params.user);
    const { role } = input.body;
    const id = `${organization.id}/${user.id}`;
    world.store.change((tx) => {
      const record = world.store.memberships.get(id) ?? {
        id,
        sequence: tx.next(),
        created_at: world.clock.timestamp(),
        organization: organization.id,
        user: user.id
      };
      tx.put("memberships", { ...record, role });
    });
    return presentMembership(world, user.id, role);
  },
  deleteMember(world, { params }) {
    const organization = organizationOf(world, params.slug);
    const user = userOf(world, params.user);
    const membership = world.store.memberships.get(`${organization.id}/${user.id}`);
    if (!membership) {
      const members = presentOrganization(world, organization).members.map(({ email: email2 }) => email2);
      throw noSuch(`member of ${organization.id}`, params.user, members);
    }
    removeMember(world, organization.id, user.id);
    return presentMembership(world, user.id, membership.role);
  }
};

// src/admin/handlers/requests.handlers.ts
function filtered(world, { since, limit, path, ...exact }) {
  const isLater = laterThan(since);
  const found = world.journal.entries().filter(
    ({ id, at, surface, method, status, identity, ...entry }) => isLater(id, at) && (path === void 0 || matchesPath(path, entry.path)) && (exact.surface === void 0 || exact.surface === surface) && (exact.method === void 0 || exact.method === method) && (exact.status === void 0 || exact.status === status) && (exact.app === void 0 || exact.app === identity.app || clientIdOf(world, identity.app) === exact.app) && (exact.organization === void 0 || exact.organization === identity.organization)
  );
  return limit === void 0 ? found : found.slice(-limit);
}
function laterThan(since) {
  if (since === void 0) return () => true;
  if (/^\d+$/.test(String(since))) return (id) => id > Number(since);
  const from = new Date(since).toISOString();
  return (_, at) => at >= from;
}
var clientIdOf = (world, app) => app && world.store.apps.get(app)?.client_id;
var requestHandlers = {
  listRequests: (world, { query }) => filtered(world, query).map(presentEntry),
  countRequests: (world, { query }) => ({ count: filtered(world, query).length }),
  clearRequests(world) {
    const affected = world.journal.entries().length;
    world.journal.clear();
    return { affected };
  }
};

// src/admin/handlers/sign-in.handlers.ts
var presentSession = ({ id, user, created_at, ambient }) => ({
  id,
  user,
  created_at,
  ambient
});
var presentSilentAuth = ({
  sequence: _,
  left,
  outcome,
  ...fields
}) => ({
  ...fields,
  outcome,
  times: left
});
var signInHandlers = {
  listSessions: (world) => [...world.store.sessions.all].map(presentSession),
  signIn(world, { body }) {
    const user = userOf(world, body.user);
    const { secret } = startSession(world, user);
    return { cookie: { name: cookieName(world), value: secret }, user: user.id };
  },
  endSessions(world) {
    const sessions = [...world.store.sessions.all];
    endSessions(world, sessions);
    return sessions.map(presentSession);
  },
  setAmbientUser: (world, { body }) => presentSession(startSession(world, userOf(world, body.user), { ambient: true })),
  clearAmbientUser(world) {
    const session = world.store.sessions.by("ambient", "ambient");
    if (!session) throw new Refusal("not_found", { message: "There is no ambient user" });
    endSessions(world, [session]);
    return presentSession(session);
  },
  setSilentAuth(world, { body: { outcome, app, organization, user, times = null } }) {
    const record = forceOutcome(world, {
      outcome,
      app: app === void 0 ? null : appOf(world, app).id,
      organization: organization === void 0 ? null : organizationOf(world, organization).id,
      user: user === void 0 ? null : userOf(world, user).id,
      times
    });
    return presentSilentAuth(record);
  },
  listSilentAuth: (world) => [...world.store.silent_auth.all].map(presentSilentAuth),
  clearSilentAuth(world) {
    const records = [...world.store.silent_auth.all];
    world.store.change((tx) => {
      for (const { id } of records) tx.remove("silent_auth", id);
    });
    return records.map(presentSilentAuth);
  },
  rotateKeys(world, { body }) {
    const { key, retired } = world.keys.rotate(body);
    return { kid: key.id, retired };
  }
};

// src/admin/handlers/tokens.handlers.ts
var presentToken = (world, token) => ({
  id: token.id,
  kind: token.kind,
  grant: token.grant,
  app: token.app,
  organization: token.organization,
  installation: token.installation,
  user: token.user,
  scope: token.scope,
  state: tokenState(token, world.clock.now()),
  issued_at: token.created_at,
  expires_at: token.expires_at,
  last_four: token.secret.slice(-4)
});
function matching(world, { kind, grant, state, ...names }) {
  const { store } = world;
  const wanted = {
    ...kind && { kind },
    ...grant && { grant },
    ...names.installation !== void 0 && { installation: installationOf(world, names.installation).id },
    ...names.organization !== void 0 && { organization: organizationOf(world, names.organization).id },
    ...names.user !== void 0 && { user: userOf(world, names.user).id },
    ...names.app !== void 0 && { app: appOf(world, names.app).id }
  };
  const now = world.clock.now();
  const keys = Object.keys(wanted);
  const tokens = wanted.installation ? store.tokens.in("installation", wanted.installation) : store.tokens.all;
  return [...tokens].filter(
    (token) => keys.every((key) => token[key] === wanted[key]) && (state === void 0 || tokenState(token, now) === state)
  );
}
function selected(world, selection) {
  const { token: secret, all: _, ...filters } = selection;
  if (secret === void 0) return matching(world, filters);
  const token = world.store.tokens.by("secret", secret);
  if (token) return [token];
  throw new Refusal("not_found", { message: "There is no such token; it was never issued here, or is no longer kept" });
}
function scopeToMint(world, installation, user, asked) {
  const manifest = installedManifest(world, installation);
  const capability = user ? "authorize" : "install";
  if (!manifest?.oauth?.[capability]) {
    const message2 = `the version ${installation.version} of ${installation.app} does not declare oauth.${capability}`;
    throw invalid([{ path: "app", message: message2 }]);
  }
  const declared = user ? manifestScopes(manifest, "authorize") : installation.scope.split(" ");
  const scopes = asked === void 0 ? declared : [...new Set(asked.split(" ").filter(Boolean))];
  const undeclared = scopes.filter((scope) => !declared.includes(scope));
  if (scopes.length > 0 && undeclared.length === 0) return scopes.join(" ");
  const message = undeclared.length > 0 ? `${undeclared.join(", ")} cannot be granted` : "must name at least one scope";
  throw invalid([{ path: "scope", message: `${message}; there are: ${declared.join(", ")}` }]);
}
var tokenHandlers = {
  listTokens: (world, { query }) => matching(world, query).map((token) => presentToken(world, token)),
  mintTokens(world, { body }) {
    const app = appOf(world, body.app);
    const organization = organizationOf(world, body.organization);
    const user = body.user === void 0 ? void 0 : userOf(world, body.user);
    const installation = world.store.installations.by("current", `${app.id}/${organization.id}`);
    if (!installation) {
      throw new Refusal("conflict", { message: `The app ${app.id} is not installed in ${organization.id}` });
    }
    if (user && !world.store.memberships.get(`${organization.id}/${user.id}`)) {
      throw invalid([{ path: "user", message: `${user.email} is not a member of ${organization.id}` }]);
    }
    const pair = {
      installation,
      grant: user ? "authorize" : "install",
      scope: scopeToMint(world, installation, user, body.scope),
      user: user?.id ?? null,
      ...body.ttl !== void 0 && { ttl: body.ttl }
    };
    return presentPair(
      world,
      world.store.change((tx) => mintPair(world, tx, pair))
    );
  },
  expireTokens(world, { body }) {
    const tokens = selected(world, body);
    return { affected: world.store.change((tx) => expireTokens(world, tx, tokens)) };
  },
  revokeTokens(world, { body }) {
    const tokens = selected(world, body);
    return { affected: world.store.change((tx) => endTokens(world, tx, tokens, "revoked", "by the control API")) };
  }
};

// src/admin/handlers/users.handlers.ts
import * as z from "zod";
function presentUser(world, user) {
  const { sequence: _, created_at: __, ...fields } = user;
  const memberships = [...world.store.memberships.in("user", user.id)];
  return { ...fields, organizations: memberships.map(({ organization, role }) => ({ slug: organization, role })) };
}
function addUser(world, user) {
  try {
    const { created } = world.store.change((tx) => loadFixtures(world, tx, [{ document: { users: [user] } }]));
    return world.store.users.get(created.users?.[0] ?? "");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const details = error.details?.map(({ path, message }) => ({ path: path.replace(/^users\.0\.?/, ""), message }));
    throw new Refusal(error.refusal, { details });
  }
}
function updateUser(world, user, changes) {
  const email2 = changes.email?.toLowerCase();
  if (email2 !== void 0) {
    if (!z.email().safeParse(email2).success) throw invalid([{ path: "email", message: "must be an email address" }]);
    const other = world.store.users.by("email", email2);
    if (other && other.id !== user.id) {
      throw new Refusal("conflict", { details: [{ path: "email", message: `is the email of another user` }] });
    }
  }
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== void 0));
  const changed = { ...user, ...given };
  if (user.full_name === fullName(user)) changed.full_name = fullName(changed);
  world.store.change((tx) => tx.put("users", changed));
  return changed;
}
var fullName = ({ first_name, last_name }) => `${first_name} ${last_name}`.trim();
var userHandlers = {
  listUsers: (world) => [...world.store.users.all].map((user) => presentUser(world, user)),
  createUser: (world, { body }) => presentUser(world, addUser(world, body)),
  updateUser(world, input) {
    const user = userOf(world, input.params.user);
    return presentUser(world, updateUser(world, user, input.body));
  }
};

// src/fixtures/export-world.ts
function exportWorld(world) {
  const { store } = world;
  const set = { ...store.fixture_settings.get("settings")?.values, ...world.origin.given };
  const settings = worldSettings(set);
  const { frozen, at, offset } = store.clock.get("clock");
  const { sequence: last, draws } = store.counters();
  return {
    ...Object.keys(settings).length > 0 && { settings },
    users: all(world, "users"),
    organizations: [...store.organizations.all].map((organization) => exportOrganization(world, organization)),
    apps: [...store.apps.all].map(exportApp),
    // Tokens are listed by themselves, so that loading mints none.
    installations: [...store.installations.all].map((installation) => ({
      ...installation,
      credentials: null,
      announce: false
    })),
    clock: frozen ? { frozen, now: at ?? void 0 } : { frozen, offset },
    ...Object.fromEntries(plainNames.map((name) => [name, all(world, name)])),
    sequence: { last, draws }
  };
}
var all = (world, collection) => [...world.store[collection].all];
function exportApp({ client_id, client_secret, signing_secret, versions, created_at, sequence }) {
  const manifests = versions.map(({ manifest }) => manifest);
  const pushed_at = versions.map((version2) => version2.pushed_at);
  return { client_id, client_secret, signing_secret, versions: manifests, pushed_at, created_at, sequence };
}
function exportOrganization(world, organization) {
  const { id: slug, name, api_key, created_at, sequence } = organization;
  const members = [...world.store.memberships.in("organization", slug)].map(
    ({ id: _, organization: __, ...membership }) => membership
  );
  const courses = [...world.store.courses.in("organization", slug)].map((course) => exportCourse(world, course));
  return { slug, name, api_key, members, courses, created_at, sequence };
}
function exportCourse(world, { organization: _, ...course }) {
  const members = [...world.store.course_members.in("course", course.id)].map(
    ({ id: _2, organization: __, course: ___, ...member }) => member
  );
  const modules = [...world.store.modules.in("siblings", course.id)].map((module) => exportModule(world, module));
  return { ...course, members, modules };
}
function exportModule(world, { organization: _, course: __, order: ___, ...module }) {
  const elements = [...world.store.elements.in("siblings", module.id)].map((element) => exportElement(world, element));
  return { ...module, elements };
}
function exportElement(world, element) {
  const { organization: _, course: __, module: ___, order: ____, ...fields } = element;
  const activities = [...world.store.activities.in("element", element.id)].map(exportActivity);
  return { ...fields, activities };
}
function exportActivity(activity) {
  const { organization: _, element: __, member, members, ...fields } = activity;
  return { ...fields, ...member === null ? { members: members ?? [] } : { member } };
}

// src/world/reset.ts
var restoreTo = (world, mark) => world.stream.renew("restored", () => goTo(world, mark));
function goTo(world, mark) {
  interrupt(world);
  const found = world.store.restore(mark);
  world.outbox.resume();
  return found;
}
function reset(world) {
  world.stream.renew("reset", () => {
    goTo(world, START);
    forgetPast(world);
  });
}
function forgetPast(world) {
  world.journal.clear();
  world.findings.clear();
  world.inboxes.clear();
}
function interrupt(world) {
  world.outbox.abortAll();
  world.clock.cancelAll();
  world.holds.releaseAll();
  world.rateLimiter.windows.clear();
  world.findings.renew();
}

// src/fixtures/replace-world.ts
var NO_PART = "$schema";
var parts = Object.keys(fixtureDocument.shape).filter((name) => name !== NO_PART);
function replaceWorld(world, document) {
  if (isObject(document) && Object.keys(document).every((name) => name === NO_PART)) {
    const message = `must name at least one part of a world, which is replaced whole: ${parts.join(", ")}`;
    throw invalid([{ path: "", message }]);
  }
  const { store, origin } = world;
  world.stream.renew(
    "replaced",
    () => store.change((tx) => {
      const keys = isObject(document) && Array.isArray(document.keys) && document.keys.length > 0 ? [] : [...store.keys.all];
      for (const [collection, { id }] of [...store.records()]) tx.remove(collection, id);
      const settings = isObject(document) && isObject(document.settings) ? document.settings : {};
      tx.put("clock", startClock({ ...settings, ...origin.given }));
      loadFixtures(world, tx, [{ document }], { keepSequences: true });
      for (const key of keys) tx.put("keys", { ...key, sequence: tx.next() });
    })
  );
  interrupt(world);
  forgetPast(world);
  world.outbox.resume();
}

// src/admin/handlers/world.handlers.ts
var markOf = (name) => `snapshot:${name}`;
function snapshots(world) {
  return world.store.marks().filter(({ name }) => name.startsWith(markOf(""))).map((mark) => ({ ...mark, name: mark.name.slice(markOf("").length) }));
}
function findSnapshot(world, name) {
  const found = world.store.markNamed(markOf(name));
  if (found) return { ...found, name };
  const names = snapshots(world).map((snapshot) => snapshot.name);
  throw noSuch("snapshot", name, names);
}
function presentWorld(world) {
  const { admin_token, ...settings } = world.settings;
  return {
    name: "mockademy",
    version,
    ...world.addresses,
    console_url: `${world.addresses.browser_url}/_console`,
    world: world.origin.world,
    store: world.origin.store,
    settings: { ...settings, ...admin_token !== void 0 && { admin_token: "[redacted]" } },
    setting_sources: settingSources(world),
    counts: world.store.counts(),
    worlds: world.origin.worlds.toSorted((a, b) => a.index - b.index)
  };
}
function settingSources({ settings, origin, store }) {
  const fixture = store.fixture_settings.get("settings")?.values ?? {};
  const sourceOf = (name) => name in origin.given ? "given" : name in fixture ? "fixture" : "default";
  return Object.fromEntries(Object.keys(settings).map((name) => [name, sourceOf(name)]));
}
var worldHandlers = {
  health,
  world: presentWorld,
  async getState(world) {
    await world.keys.published();
    return exportWorld(world);
  },
  putState(world, { body }) {
    replaceWorld(world, body);
    return presentWorld(world);
  },
  addFixtures(world, { body }) {
    const { created } = world.stream.renew(
      "loaded",
      () => world.store.change((tx) => loadFixtures(world, tx, [{ document: body }]))
    );
    world.outbox.resume();
    return { created };
  },
  reset(world) {
    reset(world);
    return presentWorld(world);
  },
  listSnapshots: snapshots,
  snapshot(world, { body: { name } }) {
    world.store.mark(markOf(name), world.clock.timestamp());
    return findSnapshot(world, name);
  },
  restoreSnapshot(world, { params }) {
    const { name } = findSnapshot(world, params.name);
    restoreTo(world, markOf(name));
    return findSnapshot(world, name);
  },
  deleteSnapshot(world, { params }) {
    const snapshot = findSnapshot(world, params.name);
    world.store.forget(markOf(snapshot.name));
    return snapshot;
  },
  async adminDocument(world) {
    const { adminDocument } = await import("./admin-document-P52KVN5D.js");
    return adminDocument(world);
  }
};

// src/admin/handlers.ts
var handlers = {
  ...worldHandlers,
  ...clockHandlers,
  ...organizationHandlers,
  ...userHandlers,
  ...appHandlers,
  ...installationHandlers,
  ...tokenHandlers,
  ...signInHandlers,
  ...faultHandlers,
  ...deliveryHandlers,
  ...requestHandlers,
  ...findingHandlers
};

// src/admin/handle-call.ts
var nothing = strict({});
async function handleCall(name, world, request) {
  const { status = 200, list, open } = entryOf(name);
  const asked = schemas[name];
  const warnings = [];
  const input = {
    params: request.params,
    query: open ? void 0 : parse(asked.query ?? nothing, queryObject(request.query)),
    // Read when the handler asks for it: what a path names is looked up first, as on the platform. wire: §2 "order of checks"
    get body() {
      return open ? void 0 : readBody(name, asked, world, request);
    },
    signal: request.signal,
    warn: (warning) => void warnings.push(warning)
  };
  if (!asked.body) void input.body;
  const handler = handlers[name];
  const answer = await handler(world, input);
  return { status, body: list ? { data: answer } : answer, notes: { warnings } };
}
function readBody(name, { body, bodyIn, checksBody }, world, request) {
  const value = jsonBody(request);
  if (!body) return parse(nothing, value ?? {});
  if (value === void 0 && !entryOf(name).bodyOptional) {
    throw invalid([{ path: "", message: checksBody ? "a fixture document is needed" : "a JSON body is needed" }]);
  }
  return checksBody ? value : parse(bodyIn?.(world) ?? body, value === void 0 ? {} : value);
}
export {
  handleCall
};
