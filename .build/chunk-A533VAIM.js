import {
  countingManifests,
  loginPath,
  misdirectedPage,
  nearMiss,
  page,
  redirectUrisOf,
  targetsOf
} from "./chunk-HNZIXDIK.js";
import {
  challengeMethods,
  isChallenge,
  isChallengeMethod,
  issueCode,
  qualifying
} from "./chunk-3V66C4ZU.js";
import {
  describable
} from "./chunk-7THUOBFM.js";
import {
  csrfField,
  html
} from "./chunk-UT6PW3NW.js";
import {
  forcedOutcome,
  silentOutcomes
} from "./chunk-7PX5YLRV.js";
import {
  currentInstallation,
  managedBy,
  mayManage
} from "./chunk-D4TRWNWV.js";
import {
  findApp,
  installedManifest,
  manifestScopes,
  newestManifest
} from "./chunk-JFX54X37.js";
import {
  scopes
} from "./chunk-KMQ55J3A.js";
import {
  Refusal
} from "./chunk-MW7MI5LZ.js";

// src/oauth/callback.ts
function callbackUrl(redirect_uri, parameters, state) {
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  if (state !== void 0) pairs.push(`state=${state.replace(UNSAFE_IN_QUERY, percentByte)}`);
  const joint = !redirect_uri.includes("?") ? "?" : /[?&]$/.test(redirect_uri) ? "" : "&";
  return encodeNonAscii(redirect_uri) + joint + pairs.join("&");
}
function rawParameter(search, name) {
  for (const pair of search.split("&")) {
    const equals = pair.indexOf("=");
    const rawName = equals < 0 ? pair : pair.slice(0, equals);
    if (new URLSearchParams(`${rawName}=`).has(name)) return equals < 0 ? "" : pair.slice(equals + 1);
  }
  return void 0;
}
var UNSAFE_IN_QUERY = /[\x00-\x20"#<>\\^`{|}\x7f-\xff]/g;
var percentByte = (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
var encodeNonAscii = (uri) => uri.replace(
  /[^\x21-\x7e]+/g,
  (text) => [...Buffer.from(text, "utf8")].map((byte) => percentByte(String.fromCharCode(byte))).join("")
);

// src/oauth/authorization-request.ts
var given = (query, name) => query.getAll(name).filter(Boolean);
function readCallback(world, { query, search }) {
  const clientIds = given(query, "client_id");
  const [client_id] = clientIds;
  const misdirected2 = (problem, more = {}) => ({
    app: void 0,
    sent: void 0,
    nearest: void 0,
    ...more,
    problem
  });
  if (client_id === void 0) return misdirected2("The request has no client_id.");
  if (clientIds.length > 1) return misdirected2("The request has more than one client_id.");
  const app = world.store.apps.by("client_id", client_id);
  if (!app) return misdirected2(`There is no app with the client_id "${client_id}".`);
  const registered = redirectUrisOf(countingManifests(world, app));
  if (registered.length === 0) {
    return misdirected2("The app does not declare oauth.authorize in its manifest, so nobody can sign in to it.", {
      app
    });
  }
  const uris = given(query, "redirect_uri");
  const [redirect_uri] = uris;
  if (redirect_uri === void 0) return misdirected2("The request has no redirect_uri.", { app });
  if (uris.length > 1) return misdirected2("The request has more than one redirect_uri.", { app });
  if (!registered.includes(redirect_uri)) return unregistered(app, redirect_uri, registered);
  const hasState = query.getAll("state").length === 1 && query.get("state") !== "";
  return { app, redirect_uri, state: hasState ? rawParameter(search, "state") : void 0 };
}
var unregistered = (app, sent, registered) => ({
  app,
  problem: "The redirect_uri is not one that the app has registered; it must match exactly.",
  sent,
  nearest: nearMiss(sent, registered)
});
var single = [
  "response_type",
  "scope",
  "state",
  "prompt",
  "organization",
  "nonce",
  "code_challenge",
  "code_challenge_method",
  "response_mode"
];
var ignoredParameters = [
  "max_age",
  "login_hint",
  "id_token_hint",
  "claims",
  "acr_values",
  "display",
  "ui_locales",
  "resource"
];
var ignoredIn = (query) => ignoredParameters.filter((name) => query.has(name)).map((name) => ({
  code: "ignored_parameter",
  path: name,
  message: `The platform does not document ${name}; it was ignored`
}));
function readAuthorizationRequest(world, callback, query) {
  const bad = (description, error = "invalid_request") => ({ error, description });
  const repeated = single.find((name) => query.getAll(name).length > 1);
  if (repeated) return bad(`The parameter ${repeated} is given more than once`);
  const one = (name) => query.get(name) || null;
  const response_type = one("response_type");
  if (response_type === null) return bad("The parameter response_type is missing");
  if (response_type !== "code") return bad("The response_type must be code", "unsupported_response_type");
  if (callback.state === void 0) return bad("The parameter state is missing");
  const asked = [...new Set(one("scope")?.split(" ").filter(Boolean))];
  if (asked.length === 0) return bad("The parameter scope is missing");
  const prompt = one("prompt");
  if (prompt !== null && prompt !== "none") return bad("The prompt, when there is one, must be none");
  if ((one("response_mode") ?? "query") !== "query") return bad("The response_mode, when there is one, must be query");
  if (query.has("request")) return bad("The parameter request is not supported", "request_not_supported");
  if (query.has("request_uri")) return bad("The parameter request_uri is not supported", "request_uri_not_supported");
  const code_challenge = query.get("code_challenge");
  const method = one("code_challenge_method");
  if (code_challenge !== null && !isChallenge(code_challenge)) {
    return bad('The code_challenge must have 43 to 128 characters of A-Z, a-z, 0-9, "-", ".", "_" and "~"');
  }
  if (method !== null && code_challenge === null) return bad("A code_challenge_method without a code_challenge");
  if (method !== null && !isChallengeMethod(method)) {
    return bad(`The code_challenge_method must be one of: ${Object.keys(challengeMethods).join(", ")}`);
  }
  const declared = new Set(
    countingManifests(world, callback.app).flatMap((manifest) => manifestScopes(manifest, "authorize"))
  );
  const undeclared = asked.filter((scope) => !declared.has(scope));
  if (undeclared.length > 0) return undeclaredScopes(undeclared);
  return {
    ...callback,
    scope: asked,
    silent: prompt === "none",
    organization: one("organization"),
    nonce: one("nonce"),
    code_challenge,
    code_challenge_method: code_challenge === null ? null : method ?? "plain"
  };
}
var undeclaredScopes = (scopes2) => ({
  error: "invalid_scope",
  description: `Not declared as identity permissions in the app's manifest: ${scopes2.join(" ")}`
});

// src/oauth/authorize.ts
function authorize(world, { query, search }, user, decision) {
  const callback = readCallback(world, { query, search });
  if ("problem" in callback) return misdirected(callback);
  const request = readAuthorizationRequest(world, callback, query);
  const forced = forcedOn(world, callback, query, user, request);
  if (forced) return forced;
  if ("error" in request) return fail(callback, request.error, request.description);
  if (!user) {
    if (request.silent) return fail(request, "login_required", silentOutcomes.login_required);
    return { kind: "sign_in" };
  }
  const installations = qualifying(world, request.app, user, request.organization);
  const [oldest] = installations;
  if (!oldest) return notUsable(world, request, user);
  if (request.silent) return grant(world, request, user, oldest);
  if (decision?.allow === false) return fail(request, "access_denied", "The user denied the request");
  const picked = decision && installations.find(({ organization }) => organization === decision.organization);
  if (picked) return grant(world, request, user, picked);
  if (installations.length > 1) return { kind: "consent", request, installations };
  return faultOfInstallation(world, request, oldest) ?? { kind: "consent", request, installations };
}
function forcedOn(world, callback, query, user, request) {
  const isShapely = !("error" in request) || request.error === "invalid_scope";
  if (!isShapely || query.get("prompt") !== "none" || world.store.silent_auth.all.size === 0) return void 0;
  const { app } = callback;
  const pinned = query.get("organization") || null;
  const organization = pinned ?? (user ? qualifying(world, app, user, null)[0]?.organization ?? null : null);
  const outcome = forcedOutcome(world, { app: app.id, organization, user: user?.id ?? null });
  return outcome && fail(callback, outcome, silentOutcomes[outcome], "forced by the control API");
}
function notUsable(world, request, user) {
  const { app, organization } = request;
  const isMember = organization === null || world.store.memberships.get(`${organization}/${user.id}`) !== void 0;
  const reason = !isMember ? `The user ${user.email} is not a member of the organization ${organization}` : organization === null ? `The app ${app.id} is not installed in any organization of the user ${user.email}` : `The app ${app.id} is not installed in the organization ${organization}`;
  if (!request.silent) return { kind: "not_installed", app, organization, isMember, reason };
  return fail(request, "interaction_required", silentOutcomes.interaction_required, reason);
}
function grant(world, request, user, installation) {
  const fault = faultOfInstallation(world, request, installation);
  if (fault) return fault;
  const { secret } = issueCode(world, request, user, installation);
  return { kind: "redirect", to: callbackUrl(request.redirect_uri, { code: secret }, request.state) };
}
function faultOfInstallation(world, request, installation) {
  const manifest = installedManifest(world, installation);
  const where = `in version ${installation.version}, which is installed in ${installation.organization}`;
  const registered = manifest ? redirectUrisOf([manifest]) : [];
  if (!registered.includes(request.redirect_uri)) {
    const missed = unregistered(request.app, request.redirect_uri, registered);
    return misdirected({ ...missed, problem: `The redirect_uri is not registered ${where}.` });
  }
  const declared = manifest ? manifestScopes(manifest, "authorize") : [];
  const undeclared = request.scope.filter((scope) => !declared.includes(scope));
  if (undeclared.length === 0) return void 0;
  const { error, description } = undeclaredScopes(undeclared);
  return fail(request, error, `${description} (${where})`);
}
function misdirected(misdirection) {
  const { problem, sent, nearest } = misdirection;
  const closest = nearest && ` Sent: ${sent}. Closest registered: ${nearest.registered}. ${nearest.explanation}.`;
  return { kind: "misdirected", misdirection, reason: problem + (closest ?? "") };
}
function fail({ redirect_uri, state }, error, description, reason = description) {
  const parameters = { error, error_description: describable(description) };
  return { kind: "redirect", to: callbackUrl(redirect_uri, parameters, state), reason: `${error}: ${reason}` };
}

// src/web-app/manageable.ts
function appAt(world, idOrClientId) {
  const app = findApp(world, idOrClientId);
  if (app) return app;
  throw new Refusal("not_found", { message: `There is no app "${idOrClientId}".` });
}
function manageable(world, { user }, slug) {
  const organization = world.store.organizations.get(slug);
  if (!organization) throw new Refusal("not_found", { message: `There is no organization "${slug}".` });
  if (mayManage(world, user, slug)) return organization;
  throw new Refusal("forbidden", {
    message: `Only owners and admins of ${organization.name} may do this.`,
    reason: `The user ${user.email} is neither owner nor admin of ${slug}`
  });
}
var managedWithout = (world, user, app) => managedBy(world, user).filter(({ id }) => !currentInstallation(world, app.id, id));

// src/web-app/organization-picker.ts
var organizationPicker = (organizations) => html`<fieldset>
<legend>In which organization?</legend>
${organizations.map(
  ({ id, name }, index) => html`<label class="choice">
<input type="radio" name="organization" value="${id}"${index === 0 && html` checked`}>
<span>${name} <span class="soft small">${id}</span></span></label>`
)}
</fieldset>`;

// src/web-app/consent.ts
function consentPage(world, session, request, installations, search) {
  const { name, description } = newestManifest(request.app);
  const { user } = session;
  const organizations = installations.flatMap(({ organization }) => world.store.organizations.get(organization) ?? []);
  const [only, ...more] = organizations;
  const single2 = only && html`<input type="hidden" name="organization" value="${only.id}">
<p class="soft">Through <strong>${only.name}</strong>, where it is installed.</p>`;
  const body = html`<section class="card">
<h1>Sign in to ${name}</h1>
${description && html`<p class="soft">${description}</p>`}
<p><strong>${name}</strong> asks to:</p>
<ul class="plain grants">${request.scope.map((scope) => html`<li><span>${scopes[scope].grants} <code class="soft">${scope}</code></span></li>`)}</ul>
<form method="post" action="/consent?${search}">
${csrfField(world, session)}
${more.length > 0 ? organizationPicker(organizations) : single2}
<div class="actions">
<button name="decision" value="allow">Allow</button>
<button class="quiet" name="decision" value="deny">Deny</button>
</div>
</form>
</section>
<p class="soft small">You are ${user.full_name || user.email} (${user.email}).
<a href="${loginPath(`/oauth/authorize?${search}`)}">Continue as somebody else</a>.
Then you go to <code>${new URL(request.redirect_uri).host}</code>.</p>`;
  return page({ title: `Sign in to ${name}`, body, user, formTargets: targetsOf(world, request.app) });
}

// src/web-app/not-installed.ts
function notInstalledPage(world, { user }, missing) {
  const { app, organization, isMember, reason, back } = missing;
  const { name } = newestManifest(app);
  const installable = managedWithout(world, user, app).filter(({ id }) => organization === null || organization === id);
  const where = organization !== null && (world.store.organizations.get(organization)?.name ?? organization);
  const said = !isMember ? html`You are not a member of the organization <strong>${organization}</strong>, so you cannot sign in to ${name} there.` : where ? html`${name} is not installed in <strong>${where}</strong>.` : html`${name} is not installed in any of your organizations.`;
  const body = html`<section class="card">
<h1>${isMember ? html`${name} is not installed` : html`You cannot sign in to ${name}`}</h1>
<p>${said}</p>
${installable.length > 0 ? installable.map(
    ({ id, name: organizationName }) => html`<form method="get" action="/apps/${app.id}/install?organization=${id}">
<input type="hidden" name="organization" value="${id}">
<div class="actions"><button>Install in ${organizationName}</button></div>
</form>`
  ) : isMember && html`<p class="soft">Ask an owner or an admin of your organization to install it.</p>`}
</section>
<p class="soft small"><a href="${loginPath(back)}">Continue as somebody else</a> or <a href="/">go to the start page</a>.</p>`;
  return page({ status: 403, title: `${name}: not installed`, body, user, reason });
}

// src/web-app/outcome.ts
function presentOutcome(world, { method, search }, session, outcome) {
  const redirect = (location, reason) => ({
    status: method === "POST" ? 303 : 302,
    headers: { location, "cache-control": "no-store" },
    ...reason !== void 0 && { notes: { reason } }
  });
  if (outcome.kind === "redirect") return redirect(outcome.to, outcome.reason);
  if (outcome.kind === "misdirected") return misdirectedPage(outcome.misdirection, outcome.reason, session?.user);
  if (outcome.kind === "sign_in" || !session) return redirect(loginPath(`/oauth/authorize?${search}`));
  if (outcome.kind === "not_installed")
    return notInstalledPage(world, session, { ...outcome, back: `/oauth/authorize?${search}` });
  return consentPage(world, session, outcome.request, outcome.installations, search);
}

export {
  ignoredIn,
  authorize,
  organizationPicker,
  appAt,
  manageable,
  managedWithout,
  presentOutcome
};
