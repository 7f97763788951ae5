import {
  affected,
  message,
  name,
  queryDuration,
  strict
} from "./chunk-ZTFQIRJI.js";
import {
  userRecord
} from "./chunk-QF2FVXPZ.js";
import {
  ruleNames
} from "./chunk-UOQ57ESE.js";
import {
  faultRequest,
  headersSchema
} from "./chunk-H6YDQLWR.js";
import {
  silentOutcomes
} from "./chunk-7PX5YLRV.js";
import {
  fixtureDocument,
  manifestSchema
} from "./chunk-G374MYAP.js";
import {
  userDocument,
  userFields
} from "./chunk-TOMHTIL4.js";
import {
  withoutDefaults
} from "./chunk-RQ77OIZO.js";
import {
  deliveryStates
} from "./chunk-WFFIJ2TV.js";
import {
  roles
} from "./chunk-DASGZFY7.js";
import {
  duration,
  realDuration
} from "./chunk-OLY32F6C.js";
import {
  installationStates
} from "./chunk-Z4UT4XDO.js";

// src/admin/schemas/apps.schemas.ts
import * as z from "zod";
var app = z.object({
  id: z.string().describe("The manifest's id"),
  client_id: z.string(),
  name: z.string(),
  signing_secret: z.string(),
  versions: z.array(
    z.object({ version: z.string(), manifest: z.record(z.string(), z.unknown()), pushed_at: z.string() })
  )
}).meta({ id: "App" });
var warnings = z.array(z.object({ path: z.string(), message: z.string() })).optional().describe("What the platform would refuse in this manifest, if anything");
var manifestIn = ({ settings }) => manifestSchema(settings.trust_hosts);
var manifest = manifestSchema([]).meta({ id: "Manifest" });
var newApp = (manifest2) => strict({
  manifest: manifest2,
  client_id: name.optional(),
  client_secret: name.optional(),
  signing_secret: name.optional()
});
var appSchemas = {
  listApps: { answer: app },
  createApp: {
    body: newApp(manifest),
    bodyIn: (world2) => newApp(manifestIn(world2)),
    answer: app.extend({ client_secret: z.string(), warnings }).meta({ id: "CreatedApp" })
  },
  getApp: { answer: app },
  deleteApp: { answer: app },
  pushManifest: { body: manifest, bodyIn: manifestIn, answer: app.extend({ warnings }).meta({ id: "PushedApp" }) }
};

// src/admin/schemas/clock.schemas.ts
import * as z2 from "zod";
var LATEST = Date.UTC(9e3);
var clock = z2.object({ now: z2.string(), frozen: z2.boolean(), offset: z2.number() }).meta({ id: "Clock" });
var at = z2.iso.datetime({ offset: true, error: "must be an ISO 8601 date-time with Z or an offset" }).transform((text) => Date.parse(text)).refine((at2) => at2 <= LATEST, "is past the year 9000");
var clockSchemas = {
  clock: { answer: clock },
  advanceClock: { body: strict({ by: duration }), answer: clock },
  freezeClock: { body: strict({ at: at.optional() }), answer: clock },
  resumeClock: { answer: clock }
};

// src/admin/schemas/deliveries.schemas.ts
import * as z3 from "zod";
var delivery = z3.object({
  id: z3.string(),
  event: z3.object({ id: z3.string(), type: z3.string() }),
  installation: z3.string(),
  organization: z3.string(),
  url: z3.string(),
  state: z3.enum(deliveryStates),
  due_at: z3.string().nullable().describe("When the next attempt is due"),
  attempts: z3.array(
    z3.object({
      at: z3.string(),
      status: z3.int().nullable(),
      duration: z3.number().describe("Milliseconds"),
      error: z3.string().nullable(),
      fault: z3.string().nullable(),
      request: message,
      response: message.nullable()
    })
  )
}).meta({ id: "Delivery" });
var inboxEntry = z3.object({
  at: z3.string(),
  event: z3.string().nullable(),
  headers: z3.record(z3.string(), z3.string()),
  body: z3.unknown(),
  raw: z3.string(),
  verified: z3.boolean().describe("Whether the signature is that of some app's signing secret"),
  app: z3.string().nullable()
}).meta({ id: "InboxEntry" });
var inbox = z3.object({ name: z3.string(), status: z3.int(), delay: z3.number(), headers: z3.record(z3.string(), z3.string()) }).meta({ id: "Inbox" });
var filters = strict({
  event: z3.string().optional(),
  installation: z3.string().optional(),
  organization: z3.string().optional(),
  state: z3.enum(deliveryStates).optional()
});
var FIVE_SECONDS = 5e3;
var deliverySchemas = {
  listDeliveries: { query: filters, answer: delivery },
  deliveriesSettled: {
    query: strict({ timeout: queryDuration.default(FIVE_SECONDS) }),
    answer: z3.object({ settled: z3.boolean(), waiting: z3.array(z3.string()).optional() })
  },
  getDelivery: { answer: delivery },
  redeliver: { answer: delivery },
  sendEvent: {
    body: strict({
      type: z3.string().min(1),
      installation: z3.string(),
      data: z3.record(z3.string(), z3.unknown())
    }),
    answer: delivery
  },
  readInbox: { query: strict({ event: z3.string().optional(), wait: queryDuration.default(0) }), answer: inboxEntry },
  setInbox: {
    body: strict({
      status: z3.int().min(200).max(599).default(200),
      delay: realDuration.default(0),
      headers: headersSchema.default({})
    }),
    answer: inbox
  },
  emptyInbox: { answer: inboxEntry }
};

// src/admin/schemas/faults.schemas.ts
import * as z4 from "zod";
var fault = z4.object({
  id: z4.string(),
  match: z4.record(z4.string(), z4.unknown()),
  effect: z4.unknown(),
  phase: z4.enum(["before", "after"]),
  times: z4.int().nullable(),
  after: z4.int(),
  probability: z4.number(),
  expires_at: z4.string().nullable(),
  hits: z4.int(),
  left: z4.int().nullable().describe("How often it will still fire; null: always"),
  created_at: z4.string()
}).meta({ id: "Fault" });
var faultSchemas = {
  addFault: { body: faultRequest.meta({ id: "NewFault" }), answer: fault },
  listFaults: { answer: fault },
  clearFaults: { answer: fault },
  deleteFault: { answer: fault }
};

// src/admin/schemas/findings.schemas.ts
import * as z5 from "zod";
var finding = z5.object({
  rule: z5.enum(ruleNames),
  level: z5.enum(["error", "hint"]).describe("An error is certain and forbidden; a hint is practice or a threshold"),
  section: z5.string().describe("Where the rule comes from"),
  app: z5.string().nullable().describe("The manifest id"),
  organization: z5.string().nullable().describe("Null when it was in several"),
  count: z5.int(),
  first_at: z5.string(),
  last_at: z5.string(),
  message: z5.string().describe("What was seen last, and what to do instead"),
  entries: z5.array(z5.int()).describe("Ids of journal entries, the newest last")
}).meta({ id: "Finding" });
var findingSchemas = {
  listFindings: {
    query: strict({
      app: z5.string().optional(),
      rule: z5.enum(ruleNames).optional(),
      level: z5.enum(["error", "hint"]).optional()
    }),
    answer: finding
  },
  clearFindings: { answer: finding }
};

// src/admin/schemas/installations.schemas.ts
import * as z6 from "zod";
var installation = z6.object({
  id: z6.string(),
  app: z6.string().describe("Manifest id"),
  organization: z6.string(),
  version: z6.string(),
  installer: z6.string().nullable().describe("User id"),
  state: z6.enum(installationStates),
  scope: z6.string(),
  installed_at: z6.string(),
  ended_at: z6.string().nullable()
}).meta({ id: "Installation" });
var credentials = z6.object({
  client_id: z6.string(),
  access_token: z6.string(),
  refresh_token: z6.string(),
  token_type: z6.string(),
  expires_in: z6.number(),
  expires_at: z6.string(),
  scope: z6.string()
}).meta({ id: "Credentials" });
var installResult = z6.object({
  installation,
  delivery: delivery.nullable(),
  redirect_url: z6.string().nullable(),
  credentials: credentials.nullable()
}).meta({ id: "InstallResult" });
var installationSchemas = {
  listInstallations: {
    query: strict({
      app: z6.string().optional(),
      organization: z6.string().optional(),
      state: z6.enum(installationStates).optional()
    }),
    answer: installation
  },
  install: {
    body: strict({
      app: z6.string().describe("Manifest id or client id"),
      organization: z6.string(),
      installer: z6.string().optional().describe("A user's id or email; the first owner when left out"),
      version: z6.string().optional().describe("The newest when left out"),
      announce: z6.boolean().optional().describe("False: no webhook is sent")
    }),
    answer: installResult
  },
  getInstallation: { answer: installation },
  upgrade: { body: strict({ version: z6.string().optional() }), answer: installResult },
  uninstall: {
    answer: z6.object({ installation, delivery: delivery.nullable() }).meta({ id: "UninstallResult" })
  }
};

// src/admin/schemas/organizations.schemas.ts
import * as z7 from "zod";
var member = z7.object({ user: z7.string(), email: z7.string(), role: z7.enum(roles) }).meta({ id: "Member" });
var organization = z7.object({
  slug: z7.string(),
  name: z7.string(),
  created_at: z7.string(),
  members: z7.array(member),
  api_key_last_four: z7.string().nullable(),
  counts: z7.record(z7.string(), z7.int())
}).meta({ id: "Organization" });
var slug = z7.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, hyphens or underscores");
var organizationSchemas = {
  listOrganizations: { answer: organization },
  createOrganization: { body: strict({ slug, name: z7.string().min(1) }), answer: organization },
  getOrganization: { answer: organization },
  deleteOrganization: { answer: organization },
  generateApiKey: { answer: z7.object({ api_key: z7.string() }) },
  putMember: { body: strict({ role: z7.enum(roles) }), answer: member },
  deleteMember: { answer: member }
};

// src/admin/schemas/requests.schemas.ts
import * as z9 from "zod";

// src/journal/entry-shape.ts
import * as z8 from "zod";

// src/world/exchange.ts
var surfaceNames = ["api", "oauth", "web", "admin", "inbox", "webhook"];

// src/journal/entry-shape.ts
var messageShape = z8.object({
  headers: z8.record(z8.string(), z8.string()),
  body: z8.unknown(),
  length: z8.int().describe("Bytes of the whole body, of which the first 64 KB are kept")
});
var journalEntryShape = z8.object({
  id: z8.int(),
  at: z8.string(),
  surface: z8.enum(surfaceNames),
  method: z8.string(),
  path: z8.string(),
  query: z8.record(z8.string(), z8.string()),
  status: z8.int().nullable(),
  duration: z8.number(),
  app: z8.string().nullable(),
  organization: z8.string().nullable(),
  user: z8.string().nullable(),
  reason: z8.string().nullable(),
  fault: z8.string().nullable(),
  warnings: z8.array(z8.object({ code: z8.string(), path: z8.string(), message: z8.string() })),
  request: messageShape,
  response: messageShape
});

// src/admin/schemas/requests.schemas.ts
var journalEntry = journalEntryShape.meta({ id: "JournalEntry" });
var since = z9.union([z9.number(), z9.string()]).refine(
  (given) => /^\d+$/.test(String(given)) || z9.iso.datetime({ offset: true }).safeParse(given).success,
  "must be an ISO 8601 date-time with Z or an offset, or an entry's id"
).describe("An ISO 8601 date-time, or an entry's id");
var filters2 = strict({
  surface: z9.enum(surfaceNames).optional(),
  method: z9.string().transform((method) => method.toUpperCase()).optional(),
  path: z9.string().optional().describe("Exactly, or with `*` for any text"),
  status: z9.coerce.number().int().optional(),
  app: z9.string().optional(),
  organization: z9.string().optional(),
  since: since.optional(),
  limit: z9.coerce.number().int().min(1).optional()
});
var requestSchemas = {
  listRequests: { query: filters2, answer: journalEntry },
  countRequests: { query: filters2, answer: z9.object({ count: z9.int() }) },
  clearRequests: { answer: affected }
};

// src/admin/schemas/sign-in.schemas.ts
import * as z10 from "zod";
var session = z10.object({ id: z10.string(), user: z10.string(), created_at: z10.string(), ambient: z10.boolean() }).meta({ id: "Session" });
var cookie = z10.object({ name: z10.string(), value: z10.string() });
var whom = strict({ user: name });
var outcome = z10.enum(Object.keys(silentOutcomes));
var matchers = { app: name.optional(), organization: name.optional(), user: name.optional() };
var silentAuth = z10.object({
  id: z10.string(),
  outcome,
  app: z10.string().nullable(),
  organization: z10.string().nullable(),
  user: z10.string().nullable(),
  times: z10.int().nullable().describe("How many more times; null: every one"),
  created_at: z10.string()
}).meta({ id: "SilentAuth" });
var signInSchemas = {
  listSessions: { answer: session },
  signIn: { body: whom, answer: z10.object({ cookie, user: z10.string() }).meta({ id: "SignedIn" }) },
  endSessions: { answer: session },
  setAmbientUser: { body: whom, answer: session },
  clearAmbientUser: { answer: session },
  setSilentAuth: {
    body: strict({ outcome, ...matchers, times: z10.int().min(1).optional() }),
    answer: silentAuth
  },
  listSilentAuth: { answer: silentAuth },
  clearSilentAuth: { answer: silentAuth },
  rotateKeys: {
    body: strict({
      retire: z10.boolean().default(false).describe("Drop every earlier key from the JWKS"),
      after: duration.optional().describe("Publish it now, and sign with it only then")
    }).refine(({ retire, after }) => !retire || after === void 0, {
      path: ["retire"],
      error: "goes without after: until then the earlier key signs"
    }),
    answer: z10.object({
      kid: z10.string().describe("The key id of the new key"),
      retired: z10.array(z10.string()).describe("The key ids that the JWKS no longer has")
    }).meta({ id: "Rotation" })
  }
};

// src/admin/schemas/tokens.schemas.ts
import * as z11 from "zod";
var states = ["active", "expired", "revoked", "rotated"];
var kind = z11.enum(["access", "refresh"]);
var grant = z11.enum(["install", "authorize"]);
var token = z11.object({
  id: z11.string(),
  kind,
  grant,
  app: z11.string(),
  organization: z11.string(),
  installation: z11.string(),
  user: z11.string().nullable(),
  scope: z11.string(),
  state: z11.enum(states),
  issued_at: z11.string(),
  expires_at: z11.string(),
  last_four: z11.string()
}).meta({ id: "Token" });
var filters3 = {
  kind: kind.optional(),
  grant: grant.optional(),
  installation: name.optional(),
  organization: name.optional(),
  user: name.optional(),
  app: name.optional(),
  state: z11.enum(states).optional()
};
var selection = strict({
  ...filters3,
  token: name.optional().describe("The secret of one token"),
  all: z11.literal(true).optional()
}).superRefine(({ token: token2, all, ...given }, context) => {
  const named = Object.values(given).filter((value) => value !== void 0).length;
  const issue = (path, message2) => context.addIssue({ code: "custom", path, message: message2 });
  if (token2 === void 0 && all === void 0 && named === 0) {
    issue([], 'must say which tokens: filters, { "token": "<the secret>" } or { "all": true }');
  }
  if (token2 !== void 0 && (named > 0 || all)) issue(["token"], "goes without filters and without all");
  if (all && named > 0) issue(["all"], "goes without filters");
}).meta({ id: "TokenSelection" });
var tokenPair = z11.object({
  token_type: z11.literal("Bearer"),
  expires_in: z11.int(),
  access_token: z11.string(),
  refresh_token: z11.string(),
  scope: z11.string()
}).meta({ id: "TokenPair" });
var tokenSchemas = {
  listTokens: { query: strict(filters3), answer: token },
  mintTokens: {
    body: strict({
      app: name,
      organization: name,
      scope: z11.string().optional().describe("Separated by spaces; all that can be granted when left out"),
      user: name.optional().describe("A user's id or email: mints a user's tokens, else the installation's"),
      ttl: duration.optional()
    }),
    answer: tokenPair
  },
  expireTokens: { body: selection, answer: affected },
  revokeTokens: { body: selection, answer: affected }
};

// src/admin/schemas/users.schemas.ts
import * as z12 from "zod";
var user = userRecord.omit({ sequence: true, created_at: true }).extend({ organizations: z12.array(z12.object({ slug: z12.string(), role: z12.enum(roles) })) }).meta({ id: "User" });
var changes = strict(withoutDefaults(userFields)).partial().refine((given) => Object.keys(given).length > 0, `must hold at least one of ${Object.keys(userFields).join(", ")}`);
var userSchemas = {
  listUsers: { answer: user },
  createUser: { body: userDocument.meta({ id: "NewUser" }), answer: user },
  updateUser: { body: changes, answer: user }
};

// src/admin/schemas/world.schemas.ts
import * as z13 from "zod";
var world = z13.object({
  name: z13.string(),
  version: z13.string(),
  base_url: z13.string(),
  app_url: z13.string(),
  browser_url: z13.string(),
  console_url: z13.string().describe("The page in the browser"),
  world: z13.enum(["seeded", "resumed"]),
  store: z13.string().describe("The file, or `memory`"),
  settings: z13.record(z13.string(), z13.unknown()),
  setting_sources: z13.record(z13.string(), z13.enum(["given", "fixture", "default"])).describe("Where each setting comes from: a flag, option or variable; a fixture; or what holds when nobody says"),
  counts: z13.record(z13.string(), z13.int()),
  worlds: z13.array(z13.object({ index: z13.int(), url: z13.string() }))
}).meta({ id: "World" });
var snapshot = z13.object({ name: z13.string(), created_at: z13.string(), changes: z13.int() }).meta({ id: "Snapshot" });
var body = fixtureDocument.meta({ id: "FixtureDocument" });
var worldSchemas = {
  health: { answer: z13.object({ status: z13.literal("ok") }) },
  world: { answer: world },
  getState: { answer: fixtureDocument.meta({ id: "State" }) },
  putState: { body, checksBody: true, answer: world },
  addFixtures: {
    body,
    checksBody: true,
    answer: z13.object({ created: z13.record(z13.string(), z13.array(z13.string())).describe("Names and ids, by kind") })
  },
  reset: { answer: world },
  listSnapshots: { answer: snapshot },
  snapshot: { body: strict({ name: z13.string().min(1).max(200) }), answer: snapshot },
  restoreSnapshot: { answer: snapshot },
  deleteSnapshot: { answer: snapshot },
  adminDocument: { answer: z13.looseObject({}) }
};

// src/admin/call-schemas.ts
var schemas = {
  ...worldSchemas,
  ...clockSchemas,
  ...organizationSchemas,
  ...userSchemas,
  ...appSchemas,
  ...installationSchemas,
  ...tokenSchemas,
  ...signInSchemas,
  ...faultSchemas,
  ...deliverySchemas,
  ...requestSchemas,
  ...findingSchemas
};

export {
  LATEST,
  schemas
};
