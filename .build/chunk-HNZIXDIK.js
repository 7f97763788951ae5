import {
  csrfField,
  html
} from "./chunk-UT6PW3NW.js";
import {
  manifestOf,
  newestManifest
} from "./chunk-JFX54X37.js";
import {
  refusals
} from "./chunk-MW7MI5LZ.js";

// src/web-app/palette.ts
var PALETTE = `
:root {
  color-scheme: light dark;
  --ground: #f4f5f9; --surface: #ffffff; --line: #d9dce6; --ink: #1b1f2e; --soft: #565d73;
  --accent: #4338ca; --accent-ink: #ffffff; --accent-soft: #eeedfc; --warn: #92400e; --warn-soft: #fef3c7;
  --good: #166534; --good-soft: #dcfce7; --shadow: 0 1px 2px rgb(20 24 40 / .06), 0 8px 24px rgb(20 24 40 / .07);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #10121a; --surface: #191c27; --line: #323748; --ink: #eceef6; --soft: #a7aec3;
    --accent: #a5a1ff; --accent-ink: #14122e; --accent-soft: #26244a; --warn: #fcd34d; --warn-soft: #3a2c0c;
    --good: #86efac; --good-soft: #11301c; --shadow: none;
  }
}
`;

// src/web-app/stylesheet.ts
var STYLESHEET_PATH = "/assets/web-app.css";
var stylesheet = `${PALETTE}* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column;
  background: var(--ground); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
a { color: var(--accent); }
.top { display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding: 1rem 1.25rem; }
.brand { display: inline-flex; align-items: center; gap: .6rem; font-weight: 650; color: var(--ink); text-decoration: none; }
.mark { width: 1.1rem; height: 1.1rem; border-radius: .35rem; background: var(--accent); }
nav { display: flex; align-items: center; gap: 1rem; font-size: .9rem; min-width: 0; }
.who { color: var(--soft); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
main { flex: 1; width: 100%; max-width: 34rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
footer { padding: 1rem 1.25rem 1.5rem; text-align: center; font-size: .85rem; color: var(--soft); }
.card {
  background: var(--surface); border: 1px solid var(--line); border-radius: 1rem; box-shadow: var(--shadow);
  padding: 1.75rem; margin-bottom: 1.25rem;
}
h1 { font-size: 1.45rem; line-height: 1.25; margin: 0 0 .5rem; letter-spacing: -.01em; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }
.card > h2:first-child { margin-top: 0; }
.card > :last-child, .card form > :last-child { margin-bottom: 0; }
.card form + p { margin-top: .6rem; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.small { font-size: .9rem; }
ul.plain { list-style: none; margin: 0 0 1.25rem; padding: 0; }
ul.plain > li { padding: .6rem 0; border-top: 1px solid var(--line); }
ul.plain > li:first-child { border-top: 0; }
ul.people > li { border-top: 0; padding: .1rem 0; }
ul.people { margin: 0 -.7rem; }
ul.grants > li { display: flex; gap: .7rem; align-items: baseline; }
ul.grants > li::before { content: ""; flex: none; width: .5rem; height: .5rem; border-radius: 50%; background: var(--accent); }
ul.grants span { overflow-wrap: anywhere; }
code, .code { font: .9em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { overflow-wrap: anywhere; }
.code {
  display: block; padding: .7rem .85rem; margin: 0 0 1rem; border-radius: .6rem; overflow-wrap: anywhere;
  background: var(--ground); border: 1px solid var(--line);
}
mark { background: var(--warn-soft); color: var(--warn); border-radius: .2rem; padding: 0 .1em; font-weight: 650; }
.tag {
  display: inline-block; padding: .05rem .5rem; border-radius: 1rem; font-size: .8rem; white-space: nowrap;
  background: var(--accent-soft); color: var(--accent);
}
.note { padding: .75rem .9rem; border-radius: .6rem; margin: 0 0 1rem; overflow-wrap: anywhere; }
.note.good { background: var(--good-soft); color: var(--good); }
.note.warn { background: var(--warn-soft); color: var(--warn); }
button, .button {
  display: inline-block; font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer;
  padding: .65rem 1.2rem; border-radius: .65rem; border: 1px solid var(--accent);
  background: var(--accent); color: var(--accent-ink);
}
button.quiet, .button.quiet { background: transparent; color: var(--ink); border-color: var(--line); }
button:hover, .button:hover { filter: brightness(1.08); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.25rem; }
.actions > * { flex: 1 1 8rem; }
button.person {
  display: flex; width: 100%; gap: .9rem; align-items: center; text-align: left; font-weight: 400;
  background: transparent; color: var(--ink); border-color: transparent; border-radius: .75rem; padding: .6rem .7rem;
}
button.person:hover { background: var(--accent-soft); filter: none; }
.avatar {
  flex: none; display: grid; place-items: center; width: 2.5rem; height: 2.5rem; border-radius: 50%;
  background: var(--accent-soft); color: var(--accent); font-weight: 650;
}
.person strong { display: block; overflow-wrap: anywhere; }
.person .lines { min-width: 0; }
.tags { display: flex; flex-wrap: wrap; gap: .3rem; margin-top: .2rem; }
fieldset { border: 0; margin: 0; padding: 0; }
legend { padding: 0; font-weight: 650; margin-bottom: .4rem; }
label.choice {
  display: flex; gap: .7rem; align-items: center; padding: .65rem .8rem; margin-bottom: .5rem;
  border: 1px solid var(--line); border-radius: .65rem; cursor: pointer;
}
label.choice:has(:checked) { border-color: var(--accent); background: var(--accent-soft); }
input[type="radio"] { accent-color: var(--accent); width: 1.1rem; height: 1.1rem; margin: 0; }
.search { display: flex; gap: .6rem; margin: .3rem 0 1rem; }
input[type="search"] {
  flex: 1; min-width: 0; font: inherit; color: inherit; padding: .6rem .8rem; border-radius: .65rem;
  background: var(--ground); border: 1px solid var(--line);
}
@media (max-width: 30rem) { .card { padding: 1.25rem; } main { padding-top: .5rem; } }
`;

// src/oauth/redirect-uris.ts
function countingManifests(world, app) {
  const newest = app.versions.length - 1;
  return app.versions.filter(
    ({ version }, index) => index === newest || world.store.installations.in("current_version", `${app.id}/${version}`).size > 0
  ).map(({ version }) => manifestOf(app, version));
}
var redirectUrisOf = (manifests) => [
  ...new Set(manifests.flatMap(({ oauth }) => oauth?.authorize?.redirect_uris ?? []))
];
function nearMiss(sent, registered) {
  const judged = registered.map((candidate2) => ({
    candidate: candidate2,
    start: commonStart(sent, candidate2),
    likeness: likeness(sent, candidate2)
  }));
  const best = judged.sort((a, b) => b.likeness - a.likeness)[0];
  if (!best) return void 0;
  const { candidate, start } = best;
  return { registered: candidate, position: start + 1, explanation: explain(sent, candidate, start) };
}
function likeness(a, b) {
  const start = commonStart(a, b);
  const end = commonStart(reversed(a.slice(start)), reversed(b.slice(start)));
  return (start + end) / Math.max(a.length, b.length, 1);
}
var reversed = (text) => text.split("").reverse().join("");
function commonStart(a, b) {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}
var slips = [
  [(sent, registered) => sent === `${registered}/`, "The request has a slash at the end that is not registered"],
  [(sent, registered) => registered === `${sent}/`, "The slash at the end is missing in the request"],
  [(sent, registered) => sent.toLowerCase() === registered.toLowerCase(), "They differ in upper and lower case"],
  [
    (sent, registered) => sent.replace(/^https?:/, "") === registered.replace(/^https?:/, ""),
    "They differ in http and https"
  ],
  [(sent, registered) => safeDecode(sent) === safeDecode(registered), "They differ in percent-encoding"],
  [
    (sent, registered) => sent.split(/[?#]/)[0] === registered.split(/[?#]/)[0],
    "They differ in what follows the path: the query must be registered too"
  ],
  [(sent, registered) => differsOnlyIn("port", sent, registered), "They differ in the port"],
  [(sent, registered) => differsOnlyIn("hostname", sent, registered), "They differ in the host name"]
];
function explain(sent, registered, start) {
  const slip = slips.find(([applies]) => applies(sent, registered))?.[1];
  const rest = (text) => start < text.length ? `goes on with "${text.slice(start, start + 16)}"` : "ends";
  const where = `at character ${start + 1} the request ${rest(sent)} where the registered one ${rest(registered)}`;
  return slip ? `${slip}: ${where}` : `They differ: ${where}`;
}
function safeDecode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
function differsOnlyIn(part, a, b) {
  if (!URL.canParse(a) || !URL.canParse(b)) return false;
  const [left, right] = [new URL(a), new URL(b)];
  left[part] = right[part];
  return left.href === right.href;
}

// src/web-app/form-targets.ts
function targetsOf(world, app) {
  const manifests = [...countingManifests(world, app), newestManifest(app)];
  const landings = manifests.flatMap(({ post_install_action }) => post_install_action?.url ?? []);
  return [.../* @__PURE__ */ new Set([...redirectUrisOf(manifests), ...landings])];
}
function callbacksOf(world, path) {
  const { pathname, searchParams } = new URL(path, "http://web-app.invalid");
  const app = pathname === "/oauth/authorize" && world.store.apps.by("client_id", searchParams.get("client_id") ?? "");
  return app ? targetsOf(world, app) : [];
}

// src/web-app/page.ts
function page({ status = 200, title, body, user, formTargets = [], scripts = [], reason }) {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${STYLESHEET_PATH}">
<link rel="icon" href="data:,">
${scripts.map(
    (path) => html`<script src="${path}" defer></script>
`
  )}</head>
<body>
<header class="top">
<a class="brand" href="/"><span class="mark" aria-hidden="true"></span>Mockademy</a>
${user ? html`<nav aria-label="Account"><span class="who">${user.full_name || user.email}</span><a href="/logout">Sign out</a></nav>` : html`<nav aria-label="Account"><a href="/login">Sign in</a></nav>`}
</header>
<main>
${body}
</main>
<footer>An emulated platform. Nothing here is real.</footer>
</body>
</html>
`;
  return {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": contentSecurityPolicy(formTargets, scripts.length > 0),
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin"
    },
    body: document.text,
    ...reason !== void 0 && { notes: { reason } }
  };
}
function contentSecurityPolicy(formTargets, hasScripts) {
  const targets = ["'self'", ...new Set(formTargets.filter((url) => URL.canParse(url)).map(sourceOf))];
  return [
    "default-src 'none'",
    "style-src 'self'",
    ...hasScripts ? ["script-src 'self'"] : [],
    "img-src data:",
    `form-action ${targets.join(" ")}`,
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join("; ");
}
function sourceOf(url) {
  const { origin, protocol, hostname } = new URL(url);
  return /^[a-z0-9.-]+$/.test(hostname) ? origin : protocol;
}

// src/web-app/login.ts
function localPath(text) {
  if (text === null || !text.startsWith("/")) return "/";
  const base = "http://web-app.invalid";
  if (!URL.canParse(text, base)) return "/";
  const { origin, pathname, search } = new URL(text, base);
  return origin === base && !pathname.startsWith("//") ? pathname + search : "/";
}
var loginPath = (returnTo) => `/login?return_to=${encodeURIComponent(returnTo)}`;
var SHOWN = 100;
function loginPage(world, session, returnTo, search) {
  const everybody = [...world.store.users.all];
  const found = search ? everybody.filter((user) => matches(user, search)) : everybody;
  const users = found.slice(0, SHOWN);
  const people = users.map(
    (user) => html`<li><button class="person" name="user" value="${user.id}">
<span class="avatar" aria-hidden="true">${initials(user)}</span>
<span class="lines"><strong>${user.full_name || user.email}</strong>
<span class="soft small">${user.email}</span>
<span class="tags">${membershipsOf(world, user).map(([name, role]) => html`<span class="tag">${name}: ${role}</span> `)}</span></span>
</button></li>`
  );
  const body = html`<section class="card">
<h1>Sign in</h1>
<p class="soft">Pick who you are. There are no passwords here.</p>
${everybody.length > SHOWN && searchForm(returnTo, search)}
<form method="post" action="/login">
${csrfField(world, session)}
<input type="hidden" name="return_to" value="${returnTo}">
${people.length > 0 ? html`<ul class="plain people">${people}</ul>` : html`<p class="note warn">${search ? "Nobody is called that." : "This world has no users yet."}</p>`}
${found.length > SHOWN && html`<p class="soft small">And ${found.length - SHOWN} more: search for them.</p>`}
</form>
</section>`;
  return page({ title: "Sign in", body, user: session?.user, formTargets: callbacksOf(world, returnTo) });
}
var matches = ({ full_name, email, id }, search) => [full_name, email, id].some((text) => text.toLowerCase().includes(search.trim().toLowerCase()));
var searchForm = (returnTo, search) => html`<form method="get" action="/login" role="search">
<input type="hidden" name="return_to" value="${returnTo}">
<label for="search">Name or email</label>
<div class="search"><input id="search" type="search" name="search" value="${search ?? ""}"><button class="quiet">Search</button></div>
</form>`;
function membershipsOf(world, user) {
  return [...world.store.memberships.in("user", user.id)].map(({ organization, role }) => [
    world.store.organizations.get(organization)?.name ?? organization,
    role
  ]);
}
var initials = ({ first_name, last_name, email }) => ([...first_name].slice(0, 1).join("") + [...last_name].slice(0, 1).join("") || [...email][0] || "").toUpperCase();

// src/web-app/error-page.ts
var titles = {
  400: "The request is not valid",
  403: "You do not have permission",
  404: "Not found",
  405: "Method not allowed",
  409: "Not possible at the moment",
  413: "Too large",
  429: "Too many requests",
  500: "Something went wrong",
  503: "Not available at the moment"
};
function errorPage({ status, message }, { path, search, method }, user) {
  const title = titles[status] ?? "Something went wrong";
  const said = message === refusals.not_found.message ? "There is no page at this address." : message;
  const body = html`<section class="card">
<h1>${title}</h1>
<p>${said}</p>
<p class="soft small">Status ${status}</p>
<div class="actions">${status === 403 && user && method === "GET" && html`<a class="button" href="${loginPath(search === "" ? path : `${path}?${search}`)}">Continue as somebody else</a>`}<a class="button quiet" href="/">Go to the start page</a></div>
</section>`;
  return page({ status, title, body, user });
}
function misdirectedPage({ app, problem, sent, nearest }, reason, user) {
  const name = app && newestManifest(app).name;
  const start = (nearest?.position ?? 1) - 1;
  const marked = (uri) => html`${uri.slice(0, start)}<mark>${uri.slice(start) || " (ends here)"}</mark>`;
  const body = html`<section class="card">
<h1>${name ? html`${name} cannot be signed in to this way` : "This link cannot be followed"}</h1>
<p>${problem}</p>
${sent !== void 0 && html`<p class="soft small">The request has</p><p class="code">${nearest ? marked(sent) : sent}</p>`}
${nearest && html`<p class="soft small">The closest that is registered is</p><p class="code">${nearest.registered}</p>
<p>${nearest.explanation}.</p>`}
<p class="soft small">So that nobody is sent to a place that the app does not own, the browser stays here.</p>
<div class="actions"><a class="button quiet" href="/">Go to the start page</a></div>
</section>`;
  return page({ status: 400, title: "The request cannot be answered", body, user, reason });
}

export {
  countingManifests,
  redirectUrisOf,
  nearMiss,
  targetsOf,
  STYLESHEET_PATH,
  stylesheet,
  page,
  localPath,
  loginPath,
  loginPage,
  errorPage,
  misdirectedPage
};
