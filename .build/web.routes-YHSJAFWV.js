import {
  appAt,
  authorize,
  manageable,
  managedWithout,
  organizationPicker,
  presentOutcome
} from "./chunk-A533VAIM.js";
import {
  STYLESHEET_PATH,
  localPath,
  loginPage,
  loginPath,
  page,
  stylesheet,
  targetsOf
} from "./chunk-HNZIXDIK.js";
import "./chunk-3V66C4ZU.js";
import "./chunk-7THUOBFM.js";
import {
  cookieHeader,
  endSessions,
  forgetCookieHeader,
  signedIn,
  startSession
} from "./chunk-XGY7QMYP.js";
import {
  route
} from "./chunk-6ONNPK7B.js";
import {
  csrfField,
  html,
  readPageForm
} from "./chunk-UT6PW3NW.js";
import "./chunk-OEKPATS5.js";
import "./chunk-7PX5YLRV.js";
import {
  currentInstallation,
  install,
  managedBy,
  regenerateApiKey,
  uninstall,
  upgrade
} from "./chunk-D4TRWNWV.js";
import {
  installedManifest,
  newestManifest
} from "./chunk-JFX54X37.js";
import "./chunk-SQXZWWAL.js";
import "./chunk-BZLA7KRH.js";
import "./chunk-V3RODA4B.js";
import "./chunk-DASGZFY7.js";
import {
  scopes
} from "./chunk-KMQ55J3A.js";
import {
  Refusal
} from "./chunk-MW7MI5LZ.js";
import "./chunk-OEGBZOM3.js";

// src/web-app/copy-script.ts
var COPY_SCRIPT_PATH = "/assets/copy.js";
var copyScript = `for (const button of document.querySelectorAll('[data-copies]')) {
  if (!navigator.clipboard) continue
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent)
    button.textContent = 'Copied'
  })
}
`;

// src/web-app/installed-apps.ts
function installedApps(world, session, organization) {
  const rows = [...world.store.apps.all].flatMap((app) => {
    const installation = currentInstallation(world, app.id, organization.id);
    if (!installation) return [];
    const { name, version } = newestManifest(app);
    const isLeaving = installation.state === "uninstalling";
    const action = (what, label) => html`<form class="inline" method="post" action="/apps/${app.id}/${what}">
${csrfField(world, session)}
<input type="hidden" name="organization" value="${organization.id}">
<button class="quiet">${label}</button>
</form>`;
    return [
      html`<li><span><strong>${name}</strong> <span class="tag">${installation.version}</span>
${isLeaving && html`<span class="soft small">is being uninstalled</span>`}
${unacknowledged(world, installation)}</span>
${!isLeaving && html`<div class="actions">${version !== installation.version && action("upgrade", html`Upgrade to ${version}`)}${action("uninstall", "Uninstall")}</div>`}</li>`
    ];
  });
  return rows.length > 0 ? html`<h3>Apps</h3><ul class="plain">${rows}</ul>` : html`<p class="soft small">No apps are installed.</p>`;
}
function unacknowledged(world, installation) {
  const delivery = [...world.store.deliveries.in("installation", installation.id)].find(
    ({ event }) => event.type === "app.installed"
  );
  return delivery && delivery.state !== "acknowledged" ? unacknowledgedNote(delivery) : void 0;
}
function unacknowledgedNote({ state, due_at, attempts }) {
  const error = attempts.at(-1)?.error;
  const next = due_at ? ` The next attempt is due at ${due_at}.` : state === "failed" ? " No attempt is left." : "";
  return html`<p class="note warn">The app has not acknowledged the installation${error ? `: ${error}` : ""}.${next}</p>`;
}
async function upgradeInstalled(world, session, id, slug) {
  await upgrade(world, installationAt(world, session, id, slug));
  return { status: 303, headers: { location: "/settings/integrations", "cache-control": "no-store" } };
}
async function uninstallInstalled(world, session, id, { slug, isSure }) {
  const installation = installationAt(world, session, id, slug);
  const app = appAt(world, id);
  if (!isSure) {
    const { name } = newestManifest(app);
    const title = `Uninstall ${name}?`;
    const body = html`<section class="card">
<h1>${title}</h1>
<p>Every token that ${name} has for <strong>${world.store.organizations.get(slug)?.name ?? slug}</strong> is revoked. It takes a new installation to come back.</p>
<form method="post" action="/apps/${app.id}/uninstall">
${csrfField(world, session)}
<input type="hidden" name="organization" value="${slug}">
<input type="hidden" name="sure" value="yes">
<div class="actions"><button>Uninstall</button><a class="button quiet" href="/settings/integrations">Cancel</a></div>
</form>
</section>`;
    return page({ title, body, user: session.user, formTargets: targetsOf(world, app) });
  }
  await uninstall(world, installation);
  return { status: 303, headers: { location: "/settings/integrations", "cache-control": "no-store" } };
}
function installationAt(world, session, id, slug) {
  const app = appAt(world, id);
  const organization = manageable(world, session, slug);
  const installation = currentInstallation(world, app.id, organization.id);
  if (installation) return installation;
  throw new Refusal("conflict", { message: `${newestManifest(app).name} is not installed in ${organization.name}.` });
}

// src/web-app/install-page.ts
function organizationFor(world, session, app, slug) {
  if (slug === null) {
    const { user } = session;
    const missing = managedWithout(world, user, app);
    if (missing.length > 1) return void 0;
    const organization = missing[0] ?? managedBy(world, user)[0];
    if (organization) return organization;
    throw new Refusal("forbidden", { message: "Only owners and admins of an organization may install apps." });
  }
  return manageable(world, session, slug);
}
function installPage(world, session, app, organization) {
  const existing = organization && currentInstallation(world, app.id, organization.id);
  const manifest = (existing && installedManifest(world, existing)) ?? newestManifest(app);
  const { name, version, description, permissions, oauth } = manifest;
  const where = organization ? ` in ${organization.name}` : "";
  const title = existing ? `${name} is installed${where}` : `Install ${name}${where}`;
  const permitted = permissions.map((entry) => typeof entry === "string" ? { permission: entry } : entry);
  const asks = permitted.map(({ permission, purpose }) => {
    const grants = Object.hasOwn(scopes, permission) ? scopes[permission].grants : "Within the dashboard";
    return html`<li><span>${grants} <code class="soft">${permission}</code>${purpose && html`<br><span class="soft small">${purpose}</span>`}</span></li>`;
  });
  const form = html`<form method="post" action="/apps/${app.id}/install${organization && html`?organization=${organization.id}`}">
${csrfField(world, session)}
${organization ? html`<input type="hidden" name="organization" value="${organization.id}">` : organizationPicker(managedWithout(world, session.user, app))}
<div class="actions"><button>Install</button><a class="button quiet" href="/">Cancel</a></div>
</form>`;
  const body = html`<section class="card">
<h1>${title}</h1>
${description && html`<p class="soft">${description}</p>`}
${!existing && html`<p class="soft small">Version ${version}</p>`}
${permitted.length > 0 ? html`<p><strong>${name}</strong> ${existing ? "is" : "will be"} allowed to:</p><ul class="plain grants">${asks}</ul>` : html`<p>It asks for no permissions.</p>`}
${oauth?.install && html`<p class="soft small">It works in the background too, with access to the data of the organization.</p>`}
${existing ? html`<p class="note good">Version ${existing.version}, since ${existing.installed_at.slice(0, 10)}.</p>${unacknowledged(world, existing)}` : form}
</section>`;
  return page({ title, body, user: session.user, formTargets: targetsOf(world, app) });
}
async function installAndGoOn(world, { user }, app, organization) {
  const { installation, redirect_url } = await install(world, {
    app,
    organization: organization.id,
    installer: user.id
  });
  if (redirect_url !== null) return { status: 303, headers: { location: redirect_url, "cache-control": "no-store" } };
  const { name } = newestManifest(app);
  const body = html`<section class="card">
<h1>${name} is installed</h1>
<p class="note good">Version ${installation.version} is installed in ${organization.name}.</p>
${unacknowledged(world, installation)}
<div class="actions"><a class="button quiet" href="/">Go to the start page</a></div>
</section>`;
  return page({ title: `${name} is installed`, body, user });
}

// src/web-app/integrations-page.ts
import { createHash } from "node:crypto";
function integrationsPage(world, session, shown) {
  const organizations = managedBy(world, session.user);
  if (organizations.length === 0) {
    throw new Refusal("forbidden", { message: "Only owners and admins of an organization see its integrations." });
  }
  const body = html`<h1>Integrations</h1>
<p class="soft">An API key reads and writes everything in its organization. Keep it out of source code.</p>
${organizations.map((organization) => organizationCard(world, session, organization, shown))}`;
  return page({ title: "Integrations", body, user: session.user, scripts: shown?.api_key ? ["/assets/copy.js"] : [] });
}
function organizationCard(world, session, organization, shown) {
  const { id, name, api_key } = organization;
  const isShown = shown?.organization.id === id;
  const present = api_key === null ? "There is no API key yet." : html`The API key ends in <code>${api_key.slice(-4)}</code>.`;
  const news = !isShown ? html`<p class="soft">${present}</p>` : shown.api_key === null ? html`<p class="note" role="status">This form was sent before, so no further key was made. A key is shown only once: regenerate it if it is lost.</p>` : html`<p class="note good" role="status">The API key was generated. Copy it now: it is not shown again.</p>
<p><code class="code" id="api-key">${shown.api_key}</code></p>
<p><button type="button" class="quiet" data-copies="api-key" hidden>Copy</button></p>`;
  return html`<section class="card">
<h2>${name} <span class="soft small">${id}</span></h2>
${news}
<form method="post" action="/settings/integrations">
${keyFields(world, session, organization)}
<button${isShown && html` class="quiet"`}>${api_key === null ? "Generate API Key" : "Regenerate API Key"}</button>
</form>
${api_key !== null && html`<p class="soft small">Regenerating stops the present key at once.</p>`}
${installedApps(world, session, organization)}
</section>`;
}
var keyFields = (world, session, organization) => html`${csrfField(world, session)}
<input type="hidden" name="organization" value="${organization.id}">
<input type="hidden" name="replaces" value="${keyMark(organization)}">`;
var keyMark = ({ api_key }) => api_key === null ? "none" : createHash("sha256").update(api_key).digest("hex").slice(0, 16);
function makeApiKey(world, session, form) {
  const organization = manageable(world, session, form.get("organization") ?? "");
  if (form.get("replaces") !== keyMark(organization)) {
    return integrationsPage(world, session, { organization, api_key: null });
  }
  if (organization.api_key !== null && form.get("sure") !== "yes") {
    const title = "Regenerate the API key?";
    const body = html`<section class="card">
<h1>${title}</h1>
<p>The present key of <strong>${organization.name}</strong>, which ends in <code>${organization.api_key.slice(-4)}</code>, stops at once. Whatever uses it needs the new one.</p>
<form method="post" action="/settings/integrations">
${keyFields(world, session, organization)}
<input type="hidden" name="sure" value="yes">
<div class="actions"><button>Regenerate API Key</button><a class="button quiet" href="/settings/integrations">Cancel</a></div>
</form>
</section>`;
    return page({ title, body, user: session.user });
  }
  const api_key = regenerateApiKey(world, organization);
  return integrationsPage(world, session, { organization: { ...organization, api_key }, api_key });
}

// src/web-app/sign-out-page.ts
function signOutPage(world, session) {
  const { user } = session ?? {};
  const said = !user ? "You are not signed in." : session?.session.ambient ? `The control API has made ${user.email} the user of every browser without a session of its own.` : `You are signed in as ${user.email}.`;
  const body = html`<section class="card">
<h1>Sign out</h1>
<p>${said}</p>
<form method="post" action="/logout">
${csrfField(world, session)}
<div class="actions"><button>Sign out</button><a class="button quiet" href="/">Cancel</a></div>
</form>
</section>`;
  return page({ title: "Sign out", body, user });
}

// src/web-app/start-page.ts
var HIDDEN = "(made at run time)";
var startPage = (world, session) => session ? homePage(world, session) : welcomePage(world);
function welcomePage(world) {
  const { store, origin, addresses } = world;
  const shown = (secret) => secret === null ? "(none)" : origin.fixture_secrets.includes(secret) ? secret : HIDDEN;
  const organizations = [...store.organizations.all].map(
    ({ id, name, api_key }) => html`<tr><th scope="row">${name}<br><code class="soft">${id}</code></th><td><code>${shown(api_key)}</code></td></tr>`
  );
  const apps = [...store.apps.all].map(
    (app) => html`<tr><th scope="row">${newestManifest(app).name}<br><code class="soft">${app.id}</code></th>
<td><code>${app.client_id}</code></td><td><code>${shown(app.client_secret)}</code></td><td><code>${shown(app.signing_secret)}</code></td></tr>`
  );
  const body = html`<section class="card">
<h1>An emulated learning platform</h1>
<p>This is the web application of a platform that runs on this machine, so that extension apps can be built and tested
against it. Sign in as one of its users to see what they would see.</p>
<div class="actions"><a class="button" href="/login">Sign in</a><a class="button quiet" href="/_console">Console</a></div>
</section>
<section class="card">
<h2>Addresses</h2>
<ul class="plain">
<li><span>Public API <code>${addresses.base_url}/v0</code> <a href="/v0/openapi.json">OpenAPI</a></span></li>
<li><span>OAuth <code>${addresses.app_url}</code> <a href="/.well-known/openid-configuration">Discovery</a></span></li>
<li><span>Control API <code>${addresses.base_url}/_admin</code> <a href="/_admin/openapi.json">OpenAPI</a></span></li>
<li><span>Console <a href="/_console"><code>${addresses.base_url}/_console</code></a></span></li>
</ul>
</section>
${organizations.length > 0 && html`<section class="card"><h2>Organizations</h2><div class="wide"><table><thead><tr><th scope="col">Organization</th><th scope="col">API key</th></tr></thead><tbody>${organizations}</tbody></table></div></section>`}
${apps.length > 0 && html`<section class="card"><h2>Apps</h2><div class="wide"><table><thead><tr><th scope="col">App</th><th scope="col">Client id</th><th scope="col">Client secret</th><th scope="col">Signing secret</th></tr></thead><tbody>${apps}</tbody></table></div></section>`}`;
  return page({ title: "Mockademy", body });
}
function homePage(world, { user }) {
  const memberships = [...world.store.memberships.in("user", user.id)];
  const managed = managedBy(world, user);
  const organizations = memberships.map(({ organization, role }) => {
    const installed = [...world.store.apps.all].filter(
      ({ id }) => world.store.installations.by("current", `${id}/${organization}`)
    );
    const names = installed.map((app) => newestManifest(app).name).join(", ");
    return html`<li><strong>${world.store.organizations.get(organization)?.name}</strong> <span class="tag">${role}</span>
<br><span class="soft small">${names ? `Installed: ${names}` : "No apps are installed"}</span></li>`;
  });
  const apps = [...world.store.apps.all].map(
    (app) => html`<li><a href="/apps/${app.id}/install">Install ${newestManifest(app).name}</a></li>`
  );
  const body = html`<section class="card">
<h1>Hello, ${user.first_name || user.full_name || user.email}</h1>
${organizations.length > 0 ? html`<ul class="plain">${organizations}</ul>` : html`<p class="soft">You are in no organization.</p>`}
<div class="actions">${managed.length > 0 && html`<a class="button quiet" href="/settings/integrations">Integrations</a>`}<a class="button quiet" href="/_console">Console</a></div>
</section>
${managed.length > 0 && apps.length > 0 && html`<section class="card"><h2>Apps</h2><ul class="plain">${apps}</ul></section>`}`;
  return page({ title: "Start", body, user });
}

// src/web-app/web.routes.ts
var seeOther = (location, headers = {}) => ({
  status: 303,
  headers: { location, "cache-control": "no-store", ...headers }
});
var forSignedIn = (handler) => (world, request) => {
  const session = signedIn(world, request);
  if (session) return handler(world, request, session);
  const back = request.search === "" ? request.path : `${request.path}?${request.search}`;
  return seeOther(loginPath(request.method === "POST" ? backFrom(request) : back));
};
var backFrom = ({ path, search }) => /^\/apps\/[^/]+\/(upgrade|uninstall)$/.test(path) ? "/settings/integrations" : path === "/consent" ? `/oauth/authorize?${search}` : search === "" ? path : `${path}?${search}`;
var source = "wire: \xA76";
var webRoutes = [
  route(
    "GET",
    "/",
    { id: "startPage", summary: "What this is", source, open: true },
    (world, request) => startPage(world, signedIn(world, request))
  ),
  route("GET", STYLESHEET_PATH, { id: "stylesheet", summary: "The look of the pages", source, open: true }, () => ({
    status: 200,
    headers: { "content-type": "text/css; charset=utf-8", "cache-control": "public, max-age=3600" },
    body: stylesheet
  })),
  route("GET", COPY_SCRIPT_PATH, { id: "copyScript", summary: "The Copy buttons", source, open: true }, () => ({
    status: 200,
    headers: { "content-type": "text/javascript; charset=utf-8", "cache-control": "public, max-age=3600" },
    body: copyScript
  })),
  route(
    "GET",
    "/login",
    { id: "loginPage", summary: "Pick a user", source, open: true },
    (world, request) => loginPage(world, signedIn(world, request), localPath(request.query.get("return_to")), request.query.get("search"))
  ),
  route("POST", "/login", { id: "signIn", summary: "Sign in as a user", source, open: true }, (world, request) => {
    const before = signedIn(world, request);
    const form = readPageForm(world, request, before);
    const user = world.store.users.get(form.get("user") ?? "");
    if (!user)
      throw new Refusal("invalid", { message: "There is no such user in this world (any more). Pick another." });
    if (before && !before.session.ambient) endSessions(world, [before.session]);
    const session = startSession(world, user);
    return seeOther(localPath(form.get("return_to")), cookieHeader(world, session));
  }),
  route(
    "GET",
    "/logout",
    { id: "signOutPage", summary: "Ask before the session ends", source, open: true },
    (world, request) => signOutPage(world, signedIn(world, request))
  ),
  route("POST", "/logout", { id: "signOut", summary: "End the session", source, open: true }, (world, request) => {
    const before = signedIn(world, request);
    if (before && !before.session.ambient) endSessions(world, [before.session]);
    return seeOther("/login", forgetCookieHeader(world));
  }),
  route(
    "POST",
    "/consent",
    { id: "consent", summary: "Allow an app to know who one is, or deny it", source },
    forSignedIn((world, request, session) => {
      const form = readPageForm(world, request, session);
      const answer = form.get("decision");
      if (answer !== "allow" && answer !== "deny") {
        throw new Refusal("invalid", { message: "The answer must be Allow or Deny." });
      }
      const decision = { allow: answer === "allow", organization: form.get("organization") };
      return presentOutcome(world, request, session, authorize(world, request, session.user, decision));
    })
  ),
  route(
    "GET",
    "/apps/:app/install",
    { id: "installPage", summary: "Ask before an app is installed", source: "spec: \xA73" },
    forSignedIn((world, request, session) => {
      const app = appAt(world, request.params.app);
      return installPage(world, session, app, organizationFor(world, session, app, request.query.get("organization")));
    })
  ),
  route(
    "POST",
    "/apps/:app/install",
    { id: "installApp", summary: "Install an app and go on to its page", source: "spec: \xA76" },
    forSignedIn((world, request, session) => {
      const form = readPageForm(world, request, session);
      const app = appAt(world, request.params.app);
      const slug = form.get("organization") ?? request.query.get("organization");
      const organization = organizationFor(world, session, app, slug);
      if (!organization) throw new Refusal("invalid", { message: "Say in which organization to install it." });
      return installAndGoOn(world, session, app, organization);
    })
  ),
  route(
    "POST",
    "/apps/:app/upgrade",
    { id: "upgradeApp", summary: "Upgrade an app to its newest version", source: "spec: \xA73" },
    forSignedIn((world, request, session) => {
      const form = readPageForm(world, request, session);
      return upgradeInstalled(world, session, request.params.app, form.get("organization") ?? "");
    })
  ),
  route(
    "POST",
    "/apps/:app/uninstall",
    { id: "uninstallApp", summary: "Ask, then uninstall an app", source: "spec: \xA73" },
    forSignedIn((world, request, session) => {
      const form = readPageForm(world, request, session);
      const asked = { slug: form.get("organization") ?? "", isSure: form.get("sure") === "yes" };
      return uninstallInstalled(world, session, request.params.app, asked);
    })
  ),
  route(
    "GET",
    "/settings/integrations",
    { id: "integrationsPage", summary: "API keys", source: "spec: \xA75.1" },
    forSignedIn((world, _, session) => integrationsPage(world, session))
  ),
  route(
    "POST",
    "/settings/integrations",
    { id: "makeApiKey", summary: "Generate or regenerate an API key", source: "spec: \xA75.1" },
    forSignedIn((world, request, session) => {
      return makeApiKey(world, session, readPageForm(world, request, session));
    })
  )
];
export {
  webRoutes
};
