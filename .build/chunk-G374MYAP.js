import {
  readProperties,
  unsetProperties,
  withIds
} from "./chunk-KALKX2PA.js";
import {
  userDocument
} from "./chunk-TOMHTIL4.js";
import {
  elementTypes,
  isElementType,
  readDocumentFields
} from "./chunk-ST73ZHQR.js";
import {
  activityDocument
} from "./chunk-ZZ6WPZCE.js";
import {
  courseFields
} from "./chunk-NZRV57D6.js";
import {
  moduleFields
} from "./chunk-D6FFRSSK.js";
import {
  documentId,
  generated,
  moment
} from "./chunk-RQ77OIZO.js";
import {
  tokenRecord
} from "./chunk-7DLAHFNB.js";
import {
  faultRecord
} from "./chunk-ALWSJWTG.js";
import {
  codeRecord
} from "./chunk-CHJV2OFA.js";
import {
  keyRecord
} from "./chunk-BKWT3EPO.js";
import {
  silentAuthRecord
} from "./chunk-5SAHQNTQ.js";
import {
  sessionRecord
} from "./chunk-L7Q3M54I.js";
import {
  deliveryRecord
} from "./chunk-WFFIJ2TV.js";
import {
  permissionNames,
  urlFault
} from "./chunk-V3RODA4B.js";
import {
  roles
} from "./chunk-DASGZFY7.js";
import {
  scopesFor
} from "./chunk-KMQ55J3A.js";
import {
  settingsSchema
} from "./chunk-6VLNLZIY.js";
import {
  elementTypeNames
} from "./chunk-JD7TKZ54.js";
import {
  installationRecord
} from "./chunk-Z4UT4XDO.js";
import {
  freeForm
} from "./chunk-PA6CYUBJ.js";

// src/apps/app-fields.ts
import * as z from "zod";
var appDocument = z.strictObject({
  client_id: z.string().min(1).optional(),
  client_secret: z.string().min(1).optional(),
  signing_secret: z.string().min(1).optional(),
  manifest: z.unknown().optional(),
  versions: z.array(z.unknown()).min(1).optional(),
  /** When each of `versions` was pushed: for exports. */
  pushed_at: z.array(moment).optional(),
  ...generated
}).refine(({ manifest, versions }) => manifest === void 0 !== (versions === void 0), {
  path: ["manifest"],
  error: "exactly one of manifest and versions must be given"
});

// src/fixtures/document.ts
import * as z7 from "zod";

// src/apps/installation-fields.ts
import * as z2 from "zod";
var installationDocument = z2.strictObject({
  id: documentId.optional(),
  app: z2.string(),
  organization: z2.string(),
  version: z2.string().optional(),
  installer: z2.string().nullable().optional(),
  /** Null: no tokens are minted; an export has them in `tokens`. */
  credentials: z2.strictObject({ access_token: z2.string().min(1).optional(), refresh_token: z2.string().min(1).optional() }).nullable().optional(),
  announce: z2.boolean().default(false),
  state: installationRecord.shape.state.default("installed"),
  scope: z2.string().optional(),
  installed_at: moment.optional(),
  ended_at: moment.nullable().optional(),
  ...generated
});

// src/elements/element-document.ts
import * as z3 from "zod";
var elementFields = z3.strictObject({
  id: documentId.optional(),
  type: z3.string(),
  name: z3.unknown(),
  content: z3.unknown().optional(),
  metadata: z3.unknown().optional(),
  properties: z3.unknown().optional(),
  module: z3.string().optional(),
  position: z3.int().min(0).optional(),
  cover: z3.string().nullable().optional(),
  updated_at: moment.optional()
});
function readElement(world, given) {
  const { fields, issues } = readDocumentFields(given);
  const { name = "", content = "", metadata = {}, properties: sent = {} } = fields;
  if (!isElementType(given.type)) {
    issues.push({ path: "type", message: `must be one of ${elementTypeNames.join(", ")}` });
    return { fields: { name, content, metadata, properties: {} }, sent, issues };
  }
  const stored = unsetProperties(given.type);
  const { changed, result, issues: found } = readProperties(given.type, sent, stored);
  for (const rule of elementTypes[given.type].rules) found.push(...rule({ changed, result }));
  const properties = withIds({ ...stored, ...result }, world.random);
  return {
    fields: { name, content, metadata, properties },
    sent,
    issues: [...issues, ...found.map(({ path, message }) => ({ path: `properties.${path}`, message }))]
  };
}
function issuesOfReferences(world, { type, sent, sequence, ...where }) {
  if (!isElementType(type)) return [];
  const exported = sequence !== void 0;
  return elementTypes[type].references.flatMap((rule) => rule(world, { ...where, exported, changed: sent, result: sent })).map(({ path, message }) => ({ path: `properties.${path}`, message }));
}

// src/members/course-member-fields.ts
import * as z4 from "zod";
var enrolment = z4.strictObject({
  user: z4.string(),
  joined_at: moment.optional(),
  custom_fields: freeForm.default({}),
  ...generated
});
var courseMemberDocument = z4.union([z4.string(), enrolment], {
  error: "must be a user, or { user, joined_at, custom_fields }"
});

// src/organizations/organization-fields.ts
import * as z5 from "zod";
var membershipDocument = z5.strictObject({
  user: z5.string(),
  role: z5.enum(roles).default("learner"),
  ...generated
});
var organizationFields = {
  slug: documentId,
  /** The slug when left out. */
  name: z5.string().min(1).optional(),
  /** Left out: one is generated. Null: none has been generated yet. */
  api_key: z5.string().min(1).nullable().optional(),
  members: z5.array(membershipDocument).default([])
};

// src/fixtures/plain-fields.ts
import * as z6 from "zod";
var plainRecords = {
  keys: keyRecord,
  tokens: tokenRecord,
  codes: codeRecord,
  sessions: sessionRecord,
  deliveries: deliveryRecord,
  silent_auth: silentAuthRecord,
  faults: faultRecord
};
var plainNames = Object.keys(plainRecords);
var plainFields = Object.fromEntries(
  plainNames.map((name) => [name, z6.array(plainRecords[name]).default([])])
);

// src/fixtures/document.ts
var elementDocument = elementFields.extend({
  activities: z7.array(activityDocument).default([]),
  ...generated
});
var moduleDocument = z7.strictObject({
  id: documentId.optional(),
  ...moduleFields,
  elements: z7.array(elementDocument).default([]),
  ...generated
});
var courseDocument = z7.strictObject({
  id: documentId.optional(),
  ...courseFields,
  members: z7.array(courseMemberDocument).default([]),
  modules: z7.array(moduleDocument).default([]),
  ...generated
});
var organizationDocument = z7.strictObject({
  ...organizationFields,
  courses: z7.array(courseDocument).default([]),
  ...generated
});
var fixtureDocument = z7.strictObject({
  $schema: z7.string().optional(),
  settings: settingsSchema.optional(),
  users: z7.array(userDocument).default([]),
  organizations: z7.array(organizationDocument).default([]),
  apps: z7.array(appDocument).default([]),
  installations: z7.array(installationDocument).default([]),
  clock: z7.strictObject({ frozen: z7.boolean().default(true), now: moment.optional(), offset: z7.number().optional() }).optional(),
  ...plainFields,
  sequence: z7.strictObject({ last: z7.int().min(0), draws: z7.int().min(0) }).optional()
});

// src/apps/manifest-schema.ts
import validVersion from "semver/functions/valid.js";
import * as z8 from "zod";
var url = (rules2) => z8.string().superRefine((text, context) => {
  const message = urlFault(text, rules2);
  if (message) context.addIssue({ code: "custom", message });
});
var permission = z8.union(
  [z8.string().min(1), z8.looseObject({ permission: z8.string().min(1), purpose: z8.string().optional() })],
  {
    error: "must be a permission name, or { permission, purpose }"
  }
);
var isVersion = (text) => /^\d\S*$/.test(text) && validVersion(text) !== null;
var rules = [
  {
    path: ["oauth"],
    message: "must declare at least one of install and authorize",
    holds: ({ oauth }) => oauth?.install !== void 0 || oauth?.authorize !== void 0 || oauth === void 0
  },
  {
    path: ["webhook"],
    message: "is required with oauth.install, because credentials are delivered by webhook",
    holds: ({ oauth, webhook }) => oauth?.install !== true || webhook !== void 0
  },
  {
    path: ["permissions"],
    message: 'must hold at least one that maps to an install scope, such as "elements:read", with oauth.install',
    holds: ({ oauth, permissions }) => oauth?.install !== true || among(permissions, (names) => scopesFor("install", names).length > 0)
  },
  {
    path: ["permissions"],
    message: 'must hold "openid" with oauth.authorize',
    holds: ({ oauth, permissions }) => oauth?.authorize === void 0 || among(permissions, (names) => names.includes("openid"))
  }
];
function among(permissions, holds) {
  const read = z8.array(permission).default([]).safeParse(permissions);
  return !read.success || holds(permissionNames({ permissions: read.data }));
}
var isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
var canBeJudged = ({ value }) => isObject(value) && (!("oauth" in value) || value.oauth === void 0 || isObject(value.oauth));
var manifestSchema = (trustHosts) => {
  const alsoPlain = [...trustHosts.map((host) => host.toLowerCase()), "host.docker.internal"];
  const page = url({ alsoPlain, fragment: true });
  const fields = z8.looseObject({
    id: z8.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, hyphens or underscores"),
    name: z8.string().min(1),
    version: z8.string().refine(isVersion, 'must be a semantic version such as "1.0.0"'),
    description: z8.string().optional(),
    permissions: z8.array(permission).default([]),
    oauth: z8.looseObject({
      install: z8.literal(true, { error: "must be true when it is present" }).optional(),
      authorize: z8.looseObject({ redirect_uris: z8.array(url({ alsoPlain })).min(1, "must hold at least one URL") }).optional()
    }).optional(),
    webhook: z8.looseObject({ url: page, events: z8.array(z8.string().min(1)).optional() }).optional(),
    post_install_action: z8.looseObject({ type: z8.string().optional(), url: page }).optional()
  });
  return rules.reduce(
    (schema, { holds, path, message }) => schema.refine((manifest) => holds(manifest), { path, message, when: canBeJudged }),
    fields
  );
};

export {
  appDocument,
  readElement,
  issuesOfReferences,
  plainNames,
  elementDocument,
  fixtureDocument,
  manifestSchema
};
