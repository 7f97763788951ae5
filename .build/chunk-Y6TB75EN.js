import {
  faultRequest
} from "./chunk-H6YDQLWR.js";
import {
  silentOutcomes
} from "./chunk-7PX5YLRV.js";
import {
  fixtureDocument,
  issuesOfReferences,
  manifestSchema,
  plainNames,
  readElement
} from "./chunk-G374MYAP.js";
import {
  putDrafts,
  settleInstallations
} from "./chunk-3H6G6YER.js";
import {
  findApp,
  manifestOf,
  manifestScopes,
  newestManifest,
  newestOf
} from "./chunk-JFX54X37.js";
import {
  managingRoles
} from "./chunk-DASGZFY7.js";
import {
  Refusal,
  invalid
} from "./chunk-MW7MI5LZ.js";
import {
  describeIssue,
  pathIssuesOf
} from "./chunk-OEGBZOM3.js";

// src/fixtures/place.ts
var at = (place, ...more) => ({ source: place.source, path: [...place.path, ...more] });

// src/fixtures/read-shape.ts
function readShape(document, report) {
  let result = fixtureDocument.safeParse(document, { error: describeIssue });
  if (result.success) return result.data;
  const repaired = { document: structuredClone(document) };
  const tries = /* @__PURE__ */ new Map();
  const isReported = (path) => path.some((_, index) => tries.has(keyOf(path.slice(0, index))));
  while (!result.success) {
    for (const { path, message } of pathIssuesOf(result.error)) {
      const key = keyOf(path);
      const tried = tries.get(key) ?? 0;
      if (tried === repairs.length) return void 0;
      if (tried === 0 && !isReported(path)) report(path, message);
      tries.set(key, tried + 1);
      repairs[tried]?.(repaired, ["document", ...path], tries.size);
    }
    result = fixtureDocument.safeParse(repaired.document, { error: describeIssue });
  }
  return result.data;
}
var keyOf = (path) => JSON.stringify(path);
var repairs = [
  (document, path) => {
    const parent = parentOf(document, path);
    if (parent && !Array.isArray(parent)) delete parent[path.at(-1)];
  },
  (document, path, n) => put(document, path, `mockademy-missing-${n}`),
  (document, path) => put(document, path, {})
];
function put(document, path, value) {
  const parent = parentOf(document, path);
  if (parent) parent[path.at(-1)] = value;
}
function parentOf(document, path) {
  let parent = document;
  for (const key of path.slice(0, -1)) {
    if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, key)) return void 0;
    parent = parent[key];
  }
  return typeof parent === "object" && parent !== null ? parent : void 0;
}

// src/fixtures/compilation.ts
var byId = (collection) => ({ what: `id among ${collection.replaceAll("_", " ")}`, path: ["id"] });
var namesOf = {
  organizations: { what: "slug", path: ["slug"] },
  users: byId("users"),
  memberships: { what: "membership", path: [] },
  courses: byId("courses"),
  course_members: { what: "course member", path: [] },
  modules: byId("modules"),
  elements: byId("elements"),
  activities: byId("activities"),
  apps: { what: "app", path: [] },
  installations: byId("installations")
};
var Compilation = class {
  constructor(world, tx, sources) {
    this.world = world;
    this.tx = tx;
    this.documents = sources.flatMap((source) => {
      const misshapen = /* @__PURE__ */ new Set();
      const document = readShape(source.document, (path, message) => {
        this.issue({ source, path }, message);
        misshapen.add(path.join("."));
      });
      this.#misshapen.set(source, misshapen);
      return document ? [{ document, place: { source, path: [] } }] : [];
    });
  }
  world;
  tx;
  issues = [];
  /** What is in the world already. */
  clashes = [];
  /** Names and ids of what is new, by kind. */
  created = {};
  documents;
  /** The records that they come to, so far. */
  drafts = [];
  #taken = /* @__PURE__ */ new Map();
  /** Places of a wrong shape: what stands in for them may have issues too, which are nobody's. */
  #misshapen = /* @__PURE__ */ new Map();
  /** Every item of one list of the documents, in order. */
  each(list, key, visit) {
    for (const { document, place } of this.documents) {
      for (const [index, item] of list(document).entries()) visit(item, at(place, key, index));
    }
  }
  issue({ source, path }, message) {
    const misshapen = this.#misshapen.get(source);
    if (misshapen?.size && path.some((_, index) => misshapen.has(path.slice(0, index + 1).join(".")))) return;
    this.issues.push({ path: [...source.file ? [`${source.file}:`] : [], path.join(".")].join(" "), message });
  }
  /** Notes a name or id that must be unique, in the documents and in the world. A secret is not told. */
  claim(what, name, place, exists, { secret = false } = {}) {
    const key = `${what} ${name}`;
    const other = this.#taken.get(key);
    const told = secret ? what : `${what} "${name}"`;
    if (other) {
      const where = `${other.source.file ? `${other.source.file}: ` : ""}${other.path.join(".")}`;
      this.issue(place, `the ${told} is given twice; it is also at ${where}`);
    } else if (exists) {
      this.clashes.push({ path: place.path.join("."), message: `the ${told} exists already` });
    } else this.#taken.set(key, place);
  }
  draft(collection, record, place) {
    const exists = this.world.store[collection].get(record.id) !== void 0;
    const names = namesOf;
    const { what, path } = names[collection] ?? byId(collection);
    this.claim(what, record.id, at(place, ...path), exists);
    this.drafts.push({ collection, draft: record, place });
    this.created[collection] ??= [];
    this.created[collection].push(record.id);
  }
  /** The moment of loading, or `given`. */
  moment(given) {
    return given ?? this.world.clock.timestamp();
  }
  /** Puts every draft into the store. @param options whether and from where sequence numbers are the documents'. */
  put(options) {
    const onTwice = (index) => this.issue(at(this.drafts[index].place, "sequence"), "is given twice");
    putDrafts(this.world, this.tx, this.drafts, { ...options, onTwice });
  }
};

// src/fixtures/compile-apps.ts
function compileApps(compilation) {
  const { world, documents } = compilation;
  const trusted = documents.findLast(({ document }) => document.settings?.trust_hosts)?.document.settings?.trust_hosts;
  const schema = manifestSchema(world.origin.given.trust_hosts ?? trusted ?? world.settings.trust_hosts);
  const known = /* @__PURE__ */ new Map();
  compilation.each(
    ({ apps }) => apps,
    "apps",
    (app, place) => {
      const manifests = readManifests(compilation, schema, app, place);
      const newest = manifests && newestOf(manifests);
      if (!manifests || !newest) return;
      const { id } = newest;
      const { random, store } = world;
      const {
        client_id = `app_${random.id()}`,
        client_secret = random.secret("cs_"),
        signing_secret = random.secret("ss_")
      } = app;
      compilation.claim(
        "client_id",
        client_id,
        at(place, "client_id"),
        store.apps.by("client_id", client_id) !== void 0
      );
      const versions = manifests.map((manifest, index) => ({
        version: manifest.version,
        manifest,
        pushed_at: compilation.moment(app.pushed_at?.[index])
      }));
      const { created_at, sequence } = app;
      const record = { id, client_id, client_secret, signing_secret, versions, created_at, sequence };
      compilation.draft("apps", record, place);
      const entry = { id, manifests: new Map(manifests.map((manifest) => [manifest.version, manifest])), newest };
      known.set(id, entry);
      known.set(client_id, entry);
    }
  );
  return (reference) => known.get(reference) ?? knownInWorld(compilation, reference);
}
function knownInWorld({ world }, reference) {
  const app = findApp(world, reference);
  if (!app) return void 0;
  const manifests = new Map(app.versions.map(({ version }) => [version, manifestOf(app, version)]));
  return { id: app.id, manifests, newest: newestManifest(app) };
}
function readManifests(compilation, schema, app, place) {
  const given = app.versions ?? [app.manifest];
  const placeOf = (index) => app.versions ? at(place, "versions", index) : at(place, "manifest");
  const manifests = given.flatMap((manifest, index) => {
    const { error, data } = schema.safeParse(manifest, { error: describeIssue });
    for (const { path, message } of error ? pathIssuesOf(error) : []) {
      compilation.issue(at(placeOf(index), ...path), message);
    }
    return data ? [data] : [];
  });
  if (manifests.length < given.length) return void 0;
  for (const [index, { id, version }] of manifests.entries()) {
    const first = manifests[0]?.id;
    if (id !== first) compilation.issue(at(placeOf(index), "id"), `must be "${first}" as in the first version`);
    if (manifests.findIndex((other) => other.version === version) !== index) {
      compilation.issue(at(placeOf(index), "version"), "is given twice");
    }
  }
  return manifests;
}

// src/fixtures/compile-installations.ts
function compileInstallations(compilation, people, findApp2) {
  const { store, random } = compilation.world;
  const mint = [];
  const announce = [];
  compilation.each(
    ({ installations }) => installations,
    "installations",
    (given, place) => {
      const { organization, state, credentials } = given;
      const app = findApp2(given.app);
      if (!app) compilation.issue(at(place, "app"), `there is no app "${given.app}"`);
      people.organization(organization, at(place, "organization"));
      const version = given.version ?? app?.newest.version ?? "";
      const manifest = app?.manifests.get(version);
      if (app && !manifest && state === "installed") {
        const known = [...app.manifests.keys()].join(", ");
        compilation.issue(at(place, "version"), `the app has no version "${version}"; it has: ${known}`);
      }
      if (app && (state === "installed" || state === "uninstalling")) {
        const exists = store.installations.by("current", `${app.id}/${organization}`) !== void 0;
        compilation.claim("installation", `${app.id} in ${organization}`, place, exists);
      }
      const record = {
        id: given.id ?? random.id(),
        app: app?.id ?? "",
        organization,
        version,
        installer: given.installer ? people.user(given.installer, at(place, "installer")) : people.ownerOf(organization),
        state,
        scope: given.scope ?? (manifest?.oauth?.install ? manifestScopes(manifest, "install").join(" ") : ""),
        installed_at: compilation.moment(given.installed_at ?? given.created_at),
        ended_at: given.ended_at ?? null,
        created_at: given.created_at,
        sequence: given.sequence
      };
      compilation.draft("installations", record, place);
      if (given.installer && record.installer && given.sequence === void 0) {
        people.mustManage(organization, record.installer, at(place, "installer"));
      }
      if (given.announce && record.installer === null) {
        compilation.issue(
          at(place, "installer"),
          "is needed with announce, as the organization has no owner who could be it"
        );
      }
      if (manifest && credentials && !manifest.oauth?.install) {
        compilation.issue(
          at(place, "credentials"),
          `version ${version} of the app has none: it declares no oauth.install`
        );
      }
      if (given.announce && state === "installed") announce.push(record.id);
      for (const [name, secret] of Object.entries(credentials ?? {})) {
        const exists = store.tokens.by("secret", secret) !== void 0;
        compilation.claim("token", secret, at(place, "credentials", name), exists, { secret: true });
      }
      if (manifest?.oauth?.install && credentials !== null && state === "installed") {
        mint.push({ installation: record.id, secrets: credentials ?? {} });
      }
    }
  );
  return { mint, announce };
}

// src/fixtures/compile-organizations.ts
import { generateNKeysBetween } from "fractional-indexing";
function compileOrganizations(compilation, people) {
  const context = { compilation, people, pending: [] };
  const { store, random } = compilation.world;
  compilation.each(
    ({ organizations }) => organizations,
    "organizations",
    (organization, place) => {
      const { slug, name = slug, api_key = random.secret("key_"), members, courses, ...dates } = organization;
      people.addOrganization(slug);
      if (api_key !== null) {
        const exists = store.organizations.by("api_key", api_key) !== void 0;
        compilation.claim("API key", api_key, at(place, "api_key"), exists, { secret: true });
      }
      compilation.draft("organizations", { id: slug, name, api_key, ...dates }, place);
      for (const [index, { user, role, ...more }] of members.entries()) {
        const where = at(place, "members", index);
        people.addMember(slug, people.user(user, at(where, "user")), role, where, more);
      }
      for (const [index, course] of courses.entries()) compileCourse(context, slug, course, at(place, "courses", index));
    }
  );
  return context.pending;
}
function judgeReferences(compilation, pending) {
  for (const { draft, place } of pending) {
    for (const { path, message } of issuesOfReferences(compilation.world, draft)) {
      compilation.issue(at(place, ...path.split(".")), message);
    }
  }
}
function compileCourse(context, organization, given, place) {
  const { compilation, people } = context;
  const { members, modules, ...fields } = given;
  const course = given.id ?? compilation.world.random.id();
  compilation.draft("courses", { ...fields, id: course, organization }, place);
  for (const [index, member] of members.entries()) {
    const where = at(place, "members", index);
    const isReference = typeof member === "string";
    const {
      user: reference,
      joined_at,
      custom_fields,
      ...more
    } = isReference ? { user: member, joined_at: void 0, custom_fields: {} } : member;
    const user = people.user(reference, isReference ? where : at(where, "user"));
    if (!isReference && more.sequence === void 0) people.mustBelong(organization, user, at(where, "user"));
    if (isReference) people.mustBelong(organization, user, where);
    const joined = { joined_at: compilation.moment(joined_at), custom_fields };
    compilation.draft(
      "course_members",
      { id: `${course}/${user}`, organization, course, user, ...joined, ...more },
      where
    );
  }
  const orders = generateNKeysBetween(null, null, modules.length);
  for (const [index, module] of modules.entries()) {
    const parent = { organization, course, order: orders[index] };
    compileModule(context, parent, module, at(place, "modules", index));
  }
}
function compileModule(context, parent, { elements, ...fields }, place) {
  const { organization, course } = parent;
  const module = fields.id ?? context.compilation.world.random.id();
  context.compilation.draft("modules", { ...fields, ...parent, id: module }, place);
  const orders = generateNKeysBetween(null, null, elements.length);
  for (const [position, element] of elements.entries()) {
    const siblings = { organization, course, module, order: orders[position] };
    compileElement(context, siblings, element, at(place, "elements", position));
  }
}
function compileElement(context, parent, given, place) {
  const { compilation, pending } = context;
  const position = place.path.at(-1);
  if (given.module !== void 0 && given.module !== parent.module) {
    compilation.issue(at(place, "module"), "is not the module that holds it; leave it out");
  }
  if (given.position !== void 0 && given.position !== position) {
    compilation.issue(at(place, "position"), `is not its place in the array (${position}); leave it out`);
  }
  const { fields, sent, issues } = readElement(compilation.world, given);
  for (const { path, message } of issues) compilation.issue(at(place, ...path.split(".")), message);
  const id = given.id ?? compilation.world.random.id();
  const { created_at, updated_at = "", sequence, cover = null, type } = given;
  const record = { ...fields, ...parent, id, type, cover, created_at, sequence };
  compilation.draft("elements", { ...record, updated_at }, place);
  pending.push({ draft: { ...record, sent }, place });
  for (const [index, activity] of given.activities.entries()) {
    compileActivity(context, record, activity, at(place, "activities", index));
  }
}
function compileActivity({ compilation, people }, element, given, place) {
  const member = given.member === void 0 ? null : people.user(given.member, at(place, "member"));
  const members = given.members?.map((user, index) => people.user(user, at(place, "members", index))) ?? null;
  if (given.sequence === void 0) {
    if (member !== null) people.mustBelong(element.organization, member, at(place, "member"));
    for (const [index, user] of members?.entries() ?? []) {
      people.mustBelong(element.organization, user, at(place, "members", index));
    }
  }
  const performer = given.completed_by && people.user(given.completed_by, at(place, "completed_by"));
  const questions = element.properties.questions;
  const known = new Set(Array.isArray(questions) ? questions.map(({ id }) => id) : []);
  for (const [index, { question }] of given.responses.entries()) {
    if (question !== null && !known.has(question)) {
      compilation.issue(at(place, "responses", index, "question"), `the element has no question "${question}"`);
    }
  }
  const { completed_by: _, ...fields } = given;
  compilation.draft(
    "activities",
    {
      ...fields,
      id: given.id ?? compilation.world.random.id(),
      organization: element.organization,
      element: element.id,
      timestamp: given.timestamp ?? given.created_at ?? "",
      completed_by: performer === void 0 ? member ?? members?.[0] ?? null : performer,
      member,
      members
    },
    place
  );
}

// src/fixtures/compile-people.ts
import * as z from "zod";
var People = class {
  constructor(compilation) {
    this.compilation = compilation;
  }
  compilation;
  #usersByEmail = /* @__PURE__ */ new Map();
  #userIds = /* @__PURE__ */ new Set();
  #slugs = /* @__PURE__ */ new Set();
  #owners = /* @__PURE__ */ new Map();
  /** Role by `<organization>/<user>`. */
  #roles = /* @__PURE__ */ new Map();
  #belonging = [];
  addUser(id, email2) {
    this.#usersByEmail.set(email2.toLowerCase(), id);
    this.#userIds.add(id);
  }
  addOrganization(slug) {
    this.#slugs.add(slug);
  }
  /** The id of a user by id or email; an empty one, and an issue, when there is none. */
  user(reference, place) {
    const { users } = this.compilation.world.store;
    const email2 = reference.toLowerCase();
    const found = this.#usersByEmail.get(email2) ?? (this.#userIds.has(reference) ? reference : void 0) ?? users.by("email", email2)?.id ?? users.get(reference)?.id;
    if (!found) this.compilation.issue(place, `there is no user "${reference}"`);
    return found ?? "";
  }
  /** Notes an issue unless there is such an organization. */
  organization(slug, place) {
    const exists = this.#slugs.has(slug) || this.compilation.world.store.organizations.get(slug) !== void 0;
    if (!exists) this.compilation.issue(place, `there is no organization "${slug}"`);
    return exists;
  }
  addMember(organization, user, role, place, more) {
    if (role === "owner" && !this.#owners.has(organization)) this.#owners.set(organization, user);
    const id = `${organization}/${user}`;
    this.#roles.set(id, role);
    this.compilation.draft("memberships", { id, organization, user, role, ...more }, place);
  }
  /** Notes an issue unless the user is a member there, once every membership is known. fixtures: "Belonging" */
  mustBelong(organization, user, place) {
    this.#belonging.push(() => {
      if (user === "" || this.#roleOf(organization, user)) return;
      this.compilation.issue(place, `is not a member of the organization "${organization}"`);
    });
  }
  /** The same unless the user is an owner or an admin there. */
  mustManage(organization, user, place) {
    this.#belonging.push(() => {
      if (user === "" || managingRoles.includes(this.#roleOf(organization, user) ?? "")) return;
      this.compilation.issue(place, `must be an owner or an admin of the organization "${organization}"`);
    });
  }
  judgeBelonging() {
    for (const judge of this.#belonging) judge();
  }
  #roleOf(organization, user) {
    const id = `${organization}/${user}`;
    return this.#roles.get(id) ?? this.compilation.world.store.memberships.get(id)?.role;
  }
  /** The first owner that the documents, or else the world, name; null when there is none. */
  ownerOf(organization) {
    const members = this.compilation.world.store.memberships.in("organization", organization);
    const inWorld = [...members].find(({ role }) => role === "owner")?.user;
    return inWorld ?? this.#owners.get(organization) ?? null;
  }
};
function compileUsers(compilation, people) {
  const { store, random } = compilation.world;
  compilation.each(
    ({ users }) => users,
    "users",
    ({ organizations: _, ...user }, place) => {
      const email2 = user.email.toLowerCase();
      const id = user.id ?? random.id();
      if (!z.email().safeParse(user.email).success) compilation.issue(at(place, "email"), "must be an email address");
      compilation.claim("email", email2, at(place, "email"), store.users.by("email", email2) !== void 0);
      people.addUser(id, email2);
      const full_name = user.full_name ?? `${user.first_name} ${user.last_name}`.trim();
      compilation.draft("users", { ...user, id, full_name }, place);
    }
  );
}
function compileMemberships(compilation, people) {
  compilation.each(
    ({ users }) => users,
    "users",
    ({ email: email2, organizations = [] }, place) => {
      for (const [index, { slug, role }] of organizations.entries()) {
        const where = at(place, "organizations", index);
        if (people.organization(slug, at(where, "slug")))
          people.addMember(slug, people.user(email2, where), role, where, {});
      }
    }
  );
}

// src/fixtures/load-fixtures.ts
function loadFixtures(world, tx, sources, { keepSequences = false, announce = true } = {}) {
  const { created, installations } = compileFixtures(world, tx, sources, keepSequences);
  settleInstallations(world, tx, announce ? installations : { ...installations, announce: [] });
  const { memberships: _, course_members: __, ...named } = created;
  return { created: named };
}
function compileFixtures(world, tx, sources, keepSequences) {
  const { store } = world;
  const compilation = new Compilation(world, tx, sources);
  const { documents, issues, clashes, created } = compilation;
  const counters = keepSequences ? documents[0]?.document.sequence : void 0;
  if (counters) store.setCounters({ ...store.counters(), draws: counters.draws });
  for (const { document } of documents) {
    if (document.settings) setFixtureSettings(world, tx, document.settings);
    if (document.clock) setClock(world, tx, document.clock);
  }
  const people = new People(compilation);
  compileUsers(compilation, people);
  const elements = compileOrganizations(compilation, people);
  compileMemberships(compilation, people);
  const findApp2 = compileApps(compilation);
  const installations = compileInstallations(compilation, people, findApp2);
  for (const collection of plainNames) {
    compilation.each(
      (document) => document[collection],
      collection,
      (record, place) => compilation.draft(collection, record, place)
    );
  }
  people.judgeBelonging();
  claimSecrets(compilation);
  judgeForced(compilation);
  compilation.put({ keepSequences, last: counters?.last ?? 0 });
  judgeReferences(compilation, elements);
  judgePlainReferences(compilation);
  if (issues.length > 0) throw invalid(issues, "The fixture document is not valid");
  if (clashes.length > 0) {
    throw new Refusal("conflict", { message: "The world has some of this already", details: clashes });
  }
  return { created, drafts: compilation.drafts, installations };
}
var foundBySecret = { tokens: "token", codes: "code", sessions: "session secret" };
function claimSecrets(compilation) {
  const { store } = compilation.world;
  for (const collection of ["tokens", "codes", "sessions"]) {
    compilation.each(
      (document) => document[collection],
      collection,
      ({ secret }, place) => {
        const exists = store[collection].by("secret", secret) !== void 0;
        compilation.claim(foundBySecret[collection], secret, at(place, "secret"), exists, { secret: true });
      }
    );
  }
}
function judgePlainReferences(compilation) {
  const { installations, users } = compilation.world.store;
  for (const collection of ["tokens", "codes", "sessions", "deliveries"]) {
    compilation.each(
      (document) => document[collection],
      collection,
      ({ installation, user }, place) => {
        if (installation !== void 0 && !installations.get(installation)) {
          compilation.issue(at(place, "installation"), `there is no installation "${installation}"`);
        }
        if (user != null && !users.get(user)) compilation.issue(at(place, "user"), `there is no user "${user}"`);
      }
    );
  }
}
function judgeForced(compilation) {
  compilation.each(
    ({ faults }) => faults,
    "faults",
    ({ match, effect }, place) => {
      const { error } = faultRequest.safeParse({ match, effect }, { error: describeIssue });
      for (const { path, message } of error ? pathIssuesOf(error) : []) compilation.issue(at(place, ...path), message);
    }
  );
  compilation.each(
    ({ silent_auth }) => silent_auth,
    "silent_auth",
    ({ outcome }, place) => {
      if (Object.hasOwn(silentOutcomes, outcome)) return;
      compilation.issue(at(place, "outcome"), `must be one of ${Object.keys(silentOutcomes).join(", ")}`);
    }
  );
}
function setFixtureSettings(world, tx, values) {
  const record = world.store.fixture_settings.get("settings") ?? {
    id: "settings",
    sequence: tx.next(),
    created_at: world.clock.timestamp(),
    values: {}
  };
  tx.put("fixture_settings", { ...record, values: { ...record.values, ...values } });
}
function setClock(world, tx, { frozen, now, offset }) {
  const present = world.clock.state();
  const machine = Date.parse(present.now) - present.offset;
  const at2 = frozen ? now ?? present.now : null;
  const ahead = offset ?? (now === void 0 ? 0 : Date.parse(now) - machine);
  tx.put("clock", { id: "clock", sequence: 0, created_at: at2 ?? (/* @__PURE__ */ new Date(0)).toISOString(), frozen, at: at2, offset: ahead });
}

export {
  loadFixtures,
  compileFixtures
};
