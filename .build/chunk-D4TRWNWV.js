import {
  installedManifest,
  manifestOf,
  manifestScopes,
  newestManifest
} from "./chunk-JFX54X37.js";
import {
  endInstallationGrants,
  endUserGrants,
  mintPair,
  presentPair
} from "./chunk-SQXZWWAL.js";
import {
  managingRoles
} from "./chunk-DASGZFY7.js";
import {
  Refusal,
  invalid
} from "./chunk-MW7MI5LZ.js";

// src/organizations/management.ts
function mayManage(world, user, organization) {
  const role = world.store.memberships.get(`${organization}/${user.id}`)?.role;
  return role !== void 0 && managingRoles.includes(role);
}
var managedBy = (world, user) => [...world.store.memberships.in("user", user.id)].filter(({ organization }) => mayManage(world, user, organization)).flatMap(({ organization }) => world.store.organizations.get(organization) ?? []);

// src/organizations/organizations.ts
var findUser = (world, idOrEmail) => world.store.users.get(idOrEmail) ?? world.store.users.by("email", idOrEmail.toLowerCase());
function firstOwner(world, organization) {
  for (const { user, role } of world.store.memberships.in("organization", organization)) {
    if (role === "owner") return world.store.users.get(user);
  }
  return void 0;
}
function addOrganization(world, slug, name) {
  if (world.store.organizations.get(slug)) {
    throw new Refusal("conflict", { message: `There is an organization "${slug}" already` });
  }
  return world.store.change((tx) => {
    const created_at = world.clock.timestamp();
    const record = { id: slug, sequence: tx.next(), created_at, name, api_key: null };
    tx.put("organizations", record);
    return record;
  });
}
function regenerateApiKey(world, organization) {
  const api_key = world.random.secret("key_");
  world.store.change((tx) => tx.put("organizations", { ...organization, api_key }));
  return api_key;
}
function deleteOrganization(world, { id }) {
  world.store.change((tx) => tx.removeWhole("organizations", id));
}
function removeMember(world, organization, user) {
  world.store.change((tx) => {
    endUserGrants(world, tx, { organization, user }, "the user left the organization");
    tx.removeWhole("memberships", `${organization}/${user}`);
  });
}

// src/webhooks/envelope.ts
function putDelivery(world, tx, { type, data, installation, url }) {
  const { id: installation_id, app, organization } = installation;
  const created_at = world.clock.timestamp();
  const event = { id: world.random.eventId(), type };
  const record = {
    id: world.random.id(),
    sequence: tx.next(),
    created_at,
    event,
    app,
    installation: installation_id,
    organization,
    url,
    body: JSON.stringify({ ...event, created_at, installation_id, data }),
    state: "pending",
    due_at: created_at,
    ended_at: null,
    tries: 0,
    held: null,
    attempts: []
  };
  tx.put("deliveries", record);
  return record;
}

// src/apps/event-data.ts
function presentCredentials(world, pair) {
  const { access_token, refresh_token, token_type, expires_in, scope } = presentPair(world, pair);
  const client_id = world.store.apps.get(pair.access.app)?.client_id ?? "";
  return { client_id, access_token, refresh_token, token_type, expires_in, expires_at: pair.access.expires_at, scope };
}
function installedData(world, installation, pair) {
  const installer = installerOf(world, installation);
  return {
    ...uninstalledData(world, installation),
    installer: installer && { id: installer.id, email: installer.email, full_name: installer.full_name },
    ...pair && { credentials: presentCredentials(world, pair) }
  };
}
function uninstalledData(world, { app, organization, version }) {
  return {
    organization: { id: organization, name: world.store.organizations.get(organization)?.name ?? organization },
    app: { id: app, name: installedManifest(world, { app, version })?.name ?? app, version }
  };
}
function installerOf(world, { installer, organization }) {
  const user = installer === null ? void 0 : world.store.users.get(installer);
  return user ?? firstOwner(world, organization) ?? null;
}

// src/apps/installations.ts
var currentInstallation = (world, app, organization) => world.store.installations.by("current", `${app}/${organization}`);
async function install(world, request) {
  const { app, organization, version, announce = true } = request;
  const manifest = versionOf(app, version);
  const existing = currentInstallation(world, app.id, organization);
  if (existing) {
    const how = existing.state === "uninstalling" ? "is being uninstalled from" : "is installed already in";
    throw new Refusal("conflict", { message: `${app.id} ${how} ${organization} (installation ${existing.id})` });
  }
  const installer = request.installer ?? firstOwner(world, organization)?.id;
  if (installer === void 0) {
    throw invalid([{ path: "installer", message: `is needed: ${organization} has no owner who could be the default` }]);
  }
  if (!mayManage(world, { id: installer }, organization)) {
    throw invalid([{ path: "installer", message: `must be an owner or an admin of ${organization}` }]);
  }
  const made = world.store.change(
    (tx) => putInstallation(world, tx, { app, organization, installer, manifest, announce })
  );
  return delivered(world, made);
}
async function upgrade(world, installation, version) {
  const { app: id, organization, installer } = installation;
  const app = world.store.apps.get(id);
  if (!app) throw new Refusal("not_found", { message: `The app ${id} is gone` });
  const manifest = versionOf(app, version);
  refuseUnlessInstalled(installation);
  if (installation.version === manifest.version) {
    throw new Refusal("conflict", { message: `Version ${manifest.version} is installed already` });
  }
  const made = world.store.change((tx) => {
    tx.put("installations", { ...installation, state: "upgraded", ended_at: world.clock.timestamp() });
    endInstallationGrants(world, tx, installation.id, "upgraded");
    return putInstallation(world, tx, { app, organization, installer, manifest, announce: true });
  });
  return delivered(world, made);
}
async function uninstall(world, installation) {
  refuseUnlessInstalled(installation);
  const url = installedManifest(world, installation)?.webhook?.url;
  const leaving = { ...installation, state: "uninstalling" };
  const delivery = world.store.change((tx) => {
    tx.put("installations", leaving);
    if (url === void 0) {
      completeUninstall(world, tx, leaving.id);
      return null;
    }
    const data = uninstalledData(world, installation);
    return putDelivery(world, tx, { type: "app.uninstalled", data, installation, url });
  });
  const attempted = delivery && await world.outbox.deliver(delivery);
  return { installation: world.store.installations.get(installation.id) ?? leaving, delivery: attempted };
}
function completeUninstall(world, tx, id) {
  const installation = world.store.installations.get(id);
  if (installation?.state !== "uninstalling") return;
  tx.put("installations", { ...installation, state: "uninstalled", ended_at: world.clock.timestamp() });
  endInstallationGrants(world, tx, id, "uninstalled");
}
function putInstallation(world, tx, request) {
  const { app, organization, installer, manifest, announce } = request;
  const now = world.clock.timestamp();
  const mints = manifest.oauth?.install === true;
  const installation = {
    id: world.random.id(),
    sequence: tx.next(),
    created_at: now,
    app: app.id,
    organization,
    version: manifest.version,
    installer,
    state: "installed",
    scope: mints ? manifestScopes(manifest, "install").join(" ") : "",
    installed_at: now,
    ended_at: null
  };
  tx.put("installations", installation);
  const pair = mints ? mintPair(world, tx, { installation, grant: "install", scope: installation.scope }) : null;
  const url = announce ? manifest.webhook?.url : void 0;
  const data = url === void 0 ? void 0 : installedData(world, installation, pair);
  const delivery = url && data ? putDelivery(world, tx, { type: "app.installed", data, installation, url }) : null;
  return { installation, manifest, delivery, pair };
}
async function delivered(world, { installation, manifest, delivery, pair }) {
  const credentials = pair && presentCredentials(world, pair);
  const attempted = delivery && await world.outbox.deliver(delivery);
  return {
    installation: world.store.installations.get(installation.id) ?? installation,
    delivery: attempted,
    redirect_url: postInstallRedirect(manifest, installation.organization),
    credentials
  };
}
function postInstallRedirect({ post_install_action }, organization) {
  if (!post_install_action) return null;
  const url = new URL(post_install_action.url);
  const given = url.search.slice(1);
  url.search = `${given}${given && !given.endsWith("&") ? "&" : ""}organization=${encodeURIComponent(organization)}`;
  return url.href;
}
function versionOf(app, version) {
  if (version === void 0) return newestManifest(app);
  const manifest = manifestOf(app, version);
  if (manifest) return manifest;
  const existing = app.versions.map((each) => each.version).join(", ");
  throw new Refusal("not_found", { message: `There is no version "${version}" of ${app.id}; there are: ${existing}` });
}
function refuseUnlessInstalled({ id, state }) {
  if (state === "installed") return;
  const how = state === "uninstalling" ? "is being uninstalled" : `was ${state}`;
  throw new Refusal("conflict", { message: `The installation ${id} ${how}` });
}
function putAnnouncements(world, tx, ids) {
  for (const id of ids) {
    const installation = world.store.installations.get(id);
    const url = installation && installedManifest(world, installation)?.webhook?.url;
    if (!installation || url === void 0) continue;
    const tokens = [...world.store.tokens.in("installation", id)].filter(({ grant }) => grant === "install");
    const access = tokens.find(({ kind }) => kind === "access");
    const refresh = tokens.find(({ kind }) => kind === "refresh");
    const data = installedData(world, installation, access && refresh ? { access, refresh } : null);
    putDelivery(world, tx, { type: "app.installed", data, installation, url });
  }
}

export {
  mayManage,
  managedBy,
  findUser,
  addOrganization,
  regenerateApiKey,
  deleteOrganization,
  removeMember,
  putDelivery,
  currentInstallation,
  install,
  upgrade,
  uninstall,
  completeUninstall,
  putAnnouncements
};
