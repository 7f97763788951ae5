import {
  jsonBody
} from "./chunk-KIUJWS5H.js";
import {
  route
} from "./chunk-6ONNPK7B.js";
import {
  authenticate,
  page,
  payload
} from "./chunk-PNUWCCRO.js";
import {
  activityRecord
} from "./chunk-LCG4G6BM.js";
import "./chunk-WWOQV4L2.js";
import {
  createBody,
  deletedElement,
  elementSchema,
  listOf,
  pageQuery,
  resource,
  updateBody
} from "./chunk-Y6XP46SP.js";
import {
  presentProperties,
  readProperties,
  unsetProperties,
  withIds
} from "./chunk-KALKX2PA.js";
import {
  check,
  elementTypes,
  ignoredFields,
  neutralType,
  readCreateBody,
  readUpdateBody,
  text,
  wireType,
  wireTypeSchema
} from "./chunk-ST73ZHQR.js";
import "./chunk-ZZ6WPZCE.js";
import {
  courseFields
} from "./chunk-NZRV57D6.js";
import {
  withoutDefaults
} from "./chunk-RQ77OIZO.js";
import "./chunk-SQXZWWAL.js";
import "./chunk-BZLA7KRH.js";
import "./chunk-KMQ55J3A.js";
import {
  Refusal,
  invalid
} from "./chunk-MW7MI5LZ.js";
import "./chunk-OEGBZOM3.js";
import {
  elementTypeNames
} from "./chunk-JD7TKZ54.js";
import {
  freeForm
} from "./chunk-PA6CYUBJ.js";
import {
  isObject
} from "./chunk-ELCYYWVK.js";

// src/activities/activities.routes.ts
import * as z3 from "zod";

// src/elements/elements.ts
import { isDeepStrictEqual } from "node:util";

// src/elements/linked-questions.ts
var questionIds = ({ properties: { questions } }) => new Set(Array.isArray(questions) ? questions.map(({ id }) => id) : []);
function unlinkQuestions(world, tx, before, after) {
  const left = questionIds(after);
  const gone = new Set([...questionIds(before)].filter((id) => !left.has(id)));
  if (gone.size === 0) return;
  const isGone = (question) => question !== null && gone.has(question);
  for (const activity of [...world.store.activities.in("element", after.id)]) {
    if (!activity.responses.some(({ question }) => isGone(question))) continue;
    const responses = activity.responses.map(
      (response) => isGone(response.question) ? { ...response, question: null } : response
    );
    tx.put("activities", { ...activity, responses });
  }
}

// src/elements/positions.ts
import { generateKeyBetween } from "fractional-indexing";
var positionOf = (world, element) => world.store.elements.in("siblings", element.module).rank(element);
function orderAt(world, module, position) {
  const siblings = world.store.elements.in("siblings", module);
  const place = Math.min(position ?? siblings.size, siblings.size);
  return generateKeyBetween(siblings.at(place - 1)?.order ?? null, siblings.at(place)?.order ?? null);
}
function orderMovedTo(world, element, position) {
  const siblings = world.store.elements.in("siblings", element.module);
  const from = siblings.rank(element);
  const to = Math.min(position, siblings.size - 1);
  if (to === from) return element.order;
  const [before, after] = to < from ? [to - 1, to] : [to, to + 1];
  return generateKeyBetween(siblings.at(before)?.order ?? null, siblings.at(after)?.order ?? null);
}

// src/elements/elements.ts
function findElement(world, caller, id) {
  const element = world.store.elements.get(id);
  if (element?.organization === caller.organization) return element;
  const reason = element ? `The element ${id} belongs to another organization` : `There is no element ${id}`;
  throw new Refusal("not_found", { reason });
}
function createElement(world, { organization }, body) {
  const { fields, issues, warnings } = readCreateBody(body);
  const module = fields.module === void 0 ? void 0 : world.store.modules.get(fields.module);
  const ownModule = module?.organization === organization ? module : void 0;
  if (fields.module !== void 0 && !ownModule) {
    issues.push({ path: "module", message: `there is no module "${fields.module}"` });
  }
  const type = readType(world, fields.type, issues);
  const properties = type && readAllProperties(world, type, fields, { id: void 0, organization, course: ownModule?.course }, issues);
  if (issues.length > 0) throw invalid(issues);
  const element = world.store.change((tx) => {
    const { name = "", content = "", metadata = {}, position } = fields;
    const { id: moduleId, course } = ownModule;
    const now = world.clock.timestamp();
    const record = {
      id: world.random.id(),
      sequence: tx.next(),
      created_at: now,
      updated_at: now,
      organization,
      course,
      module: moduleId,
      order: orderAt(world, moduleId, position),
      type,
      name,
      content,
      cover: null,
      metadata,
      properties: withIds(properties, world.random) ?? {}
    };
    tx.put("elements", record);
    return record;
  });
  return { element, warnings };
}
function updateElement(world, element, body) {
  const { fields, issues, warnings } = readUpdateBody(body);
  const properties = readAllProperties(world, element.type, fields, element, issues);
  if (issues.length > 0) throw invalid(issues);
  const { name = element.name, content = element.content, metadata = element.metadata, position } = fields;
  const order = position === void 0 ? element.order : orderMovedTo(world, element, position);
  const updated = { ...element, name, content, metadata, order, properties: withIds(properties, world.random) };
  if (isDeepStrictEqual(updated, element)) return { element, warnings };
  updated.updated_at = world.clock.timestamp();
  world.store.change((tx) => {
    tx.put("elements", updated);
    unlinkQuestions(world, tx, element, updated);
  });
  return { element: updated, warnings };
}
function deleteElement(world, element) {
  const { elements } = world.store;
  world.store.change((tx) => {
    for (const review of [...elements.in("source", element.id)]) setProperty(tx, review, "source", null);
    for (const score of [...elements.in("scores", element.course)]) forgetInputs(tx, score, element.id);
    tx.removeWhole("elements", element.id);
  });
}
var setProperty = (tx, element, name, value) => tx.put("elements", { ...element, properties: { ...element.properties, [name]: value } });
function forgetInputs(tx, score, id) {
  const inputs = score.properties.inputs;
  if (!Array.isArray(inputs) || !inputs.some(({ element, scored_via }) => element === id || scored_via === id)) return;
  const left = inputs.filter(({ element }) => element !== id).map((input) => input.scored_via === id ? { ...input, scored_via: null } : input);
  setProperty(tx, score, "inputs", left);
}
function readType(world, given, issues) {
  if (given === void 0) return void 0;
  const type = neutralType(world, given);
  if (!type) {
    const names = elementTypeNames.map((name) => wireType(world, name));
    issues.push({ path: "type", message: `must be one of ${names.join(", ")}` });
  }
  return type;
}
function readAllProperties(world, type, { properties: given }, at, issues) {
  const stored = "properties" in at ? at.properties : unsetProperties(type);
  if (!isObject(given)) return stored;
  const shown = "properties" in at ? presentProperties(world, at) : {};
  const { changed, result, issues: ownIssues } = readProperties(type, given, stored, shown);
  const { rules, changes, references } = elementTypes[type];
  const referrer = { id: at.id, organization: at.organization, course: at.course, changed, result };
  const found = [
    ...ownIssues,
    ...[...rules, ...changes].flatMap((rule) => rule(referrer)),
    ...references.flatMap((rule) => rule(world, referrer))
  ];
  for (const { path, message } of found) issues.push({ path: `properties.${path}`, message });
  return result;
}

// src/activities/activities.ts
import * as z2 from "zod";

// src/elements/present-element.ts
function presentElement(world, element) {
  const { id, name, content, type, module, course, cover, metadata, created_at, updated_at } = element;
  return {
    id,
    object: "element",
    name,
    content,
    type: wireType(world, type),
    position: positionOf(world, element),
    module,
    course,
    cover,
    metadata,
    properties: presentProperties(world, element),
    created_at,
    updated_at
  };
}
function presentContext(world, element) {
  const { id, name, type, module } = element;
  return { id, object: "element", name, type: wireType(world, type), position: positionOf(world, element), module };
}

// src/members/members.ts
import * as z from "zod";
function findMember(world, caller, user) {
  const membership = world.store.memberships.get(`${caller.organization}/${user}`);
  if (membership) return membership;
  throw new Refusal("not_found", { reason: `${user} is no member of ${caller.organization}` });
}
function findCourseMember(world, course, user) {
  const enrolment = world.store.course_members.get(`${course.id}/${user}`);
  if (enrolment) return enrolment;
  throw new Refusal("not_found", { reason: `${user} is no member of the course ${course.id}` });
}
function presentMember(world, organization, userId) {
  const user = world.store.users.get(userId);
  const membership = world.store.memberships.get(`${organization}/${userId}`);
  const { id, first_name, last_name, full_name, avatar, email, email_verified, last_seen } = user;
  return {
    id,
    object: "member",
    first_name,
    last_name,
    full_name,
    avatar,
    email,
    is_email_verified: email_verified,
    last_seen,
    created_at: (membership ?? user).created_at
  };
}
function presentCourseMember(world, enrolment) {
  const { user, organization, course, joined_at, custom_fields, created_at } = enrolment;
  const member = presentMember(world, organization, user);
  return { id: user, object: "course_member", joined_at, member, course, custom_fields, created_at };
}
var memberSchema = resource("member", {
  first_name: z.string(),
  last_name: z.string(),
  full_name: z.string(),
  avatar: z.string().nullable(),
  email: z.string(),
  is_email_verified: z.boolean(),
  last_seen: z.iso.datetime().nullable()
}).meta({ id: "Member" });
var courseMemberSchema = resource("course_member", {
  joined_at: z.iso.datetime(),
  member: memberSchema,
  course: z.string(),
  custom_fields: freeForm
}).meta({ id: "CourseMember" });

// src/activities/activities.ts
function findActivity(world, caller, id) {
  const activity = world.store.activities.get(id);
  if (activity?.organization === caller.organization) return activity;
  const reason = activity ? `The activity ${id} belongs to another organization` : `There is no activity ${id}`;
  throw new Refusal("not_found", { reason });
}
var isBy = ({ member, members }, id) => member === id || (members?.includes(id) ?? false);
function presentActivity(world, activity) {
  const { id, organization, timestamp, status, passed, score, completed_by, member, members, responses } = activity;
  const show = (user) => presentMember(world, organization, user);
  return {
    id,
    object: "activity",
    timestamp,
    status,
    passed,
    score,
    completed_by,
    ...members === null ? { member: show(member) } : { members: members.map(show) },
    context: presentContext(world, world.store.elements.get(activity.element)),
    meta: { responses },
    created_at: activity.created_at
  };
}
var activityFields = {
  timestamp: z2.iso.datetime(),
  status: activityRecord.shape.status,
  passed: z2.boolean().nullable(),
  score: z2.number().nullable(),
  completed_by: z2.string().nullable(),
  context: z2.strictObject({
    id: z2.string(),
    object: z2.literal("element"),
    name: z2.string(),
    type: wireTypeSchema,
    position: z2.int().min(0),
    module: z2.string()
  }),
  meta: z2.strictObject({
    responses: z2.array(z2.strictObject({ question: z2.string().nullable(), value: z2.unknown() }))
  })
};
var activitySchema = z2.union([
  resource("activity", { ...activityFields, member: memberSchema }).meta({ id: "IndividualActivity" }),
  resource("activity", { ...activityFields, members: z2.array(memberSchema) }).meta({ id: "GroupActivity" })
]).meta({ id: "Activity" });

// src/activities/activities.routes.ts
var activityRoutes = [
  route(
    "GET",
    "/v0/activities",
    {
      id: "listActivities",
      summary: "List activities",
      source: "wire: \xA73",
      scope: "activities:read",
      query: pageQuery,
      answer: listOf(activitySchema)
    },
    (world, request) => {
      const { organization } = authenticate(world, request, "activities:read");
      const activities = world.store.activities.in("organization", organization);
      return page(world, request, { organization }, activities, (activity) => presentActivity(world, activity));
    }
  ),
  route(
    "GET",
    "/v0/activities/:id",
    {
      id: "retrieveActivity",
      summary: "Retrieve an activity",
      source: "wire: \xA73",
      scope: "activities:read",
      answer: activitySchema
    },
    (world, request) => {
      const caller = authenticate(world, request, "activities:read");
      return payload(presentActivity(world, findActivity(world, caller, request.params.id)));
    }
  ),
  route(
    "GET",
    "/v0/elements/:id/activities",
    {
      id: "listElementActivities",
      summary: "List activities of an element",
      source: "spec: \xA74.1",
      scope: "activities:read",
      query: pageQuery.extend({
        member: z3.string().optional().describe("Only the activities of this member, alone or in a group")
      }),
      answer: listOf(activitySchema)
    },
    (world, request) => {
      const caller = authenticate(world, request, "activities:read");
      const element = findElement(world, caller, request.params.id);
      const member = request.query.get("member");
      return page(
        world,
        request,
        { organization: caller.organization, filter: { member } },
        world.store.activities.in("element", element.id),
        (activity) => presentActivity(world, activity),
        (activity) => member === null || isBy(activity, member)
      );
    }
  )
];

// src/courses/courses.ts
function findCourse(world, caller, id) {
  const course = world.store.courses.get(id);
  if (course?.organization === caller.organization) return course;
  const reason = course ? `The course ${id} belongs to another organization` : `There is no course ${id}`;
  throw new Refusal("not_found", { reason });
}
function presentCourse(course) {
  const { id, created_at, sequence: _, organization: __, ...fields } = course;
  return { id, object: "course", ...fields, created_at };
}
var courseSchema = resource("course", withoutDefaults(courseFields)).meta({ id: "Course" });

// src/courses/courses.routes.ts
var courseRoutes = [
  route(
    "GET",
    "/v0/courses",
    {
      id: "listCourses",
      summary: "List courses",
      source: "wire: \xA73",
      scope: "courses:read",
      query: pageQuery,
      answer: listOf(courseSchema)
    },
    (world, request) => {
      const caller = authenticate(world, request, "courses:read");
      return page(world, request, caller, world.store.courses.in("organization", caller.organization), presentCourse);
    }
  ),
  route(
    "GET",
    "/v0/courses/:id",
    {
      id: "retrieveCourse",
      summary: "Retrieve a course",
      source: "wire: \xA73",
      scope: "courses:read",
      answer: courseSchema
    },
    (world, request) => {
      const caller = authenticate(world, request, "courses:read");
      return payload(presentCourse(findCourse(world, caller, request.params.id)));
    }
  )
];

// src/elements/search.ts
import * as z4 from "zod";
var searchFields = z4.object({
  q: text.optional().describe("A part of the name, in any case"),
  type: wireTypeSchema.optional()
});
function readSearch(world, body, query) {
  const given = body === void 0 ? {} : body;
  if (!isObject(given)) throw invalid([{ path: "", message: "the body must be a JSON object" }]);
  const asked = { ...given };
  for (const field of ["q", "type"]) {
    const value = query?.get(field);
    if (value != null) asked[field] = value;
  }
  const issues = [];
  const checked = check(searchFields, asked);
  if (!checked.success) issues.push(...checked.issues);
  const type = neutralType(world, asked.type);
  if (typeof asked.type === "string" && !type) {
    const names = elementTypeNames.map((name) => wireType(world, name));
    issues.push({ path: "type", message: `must be one of ${names.join(", ")}` });
  }
  if (issues.length > 0) throw invalid(issues);
  const part = (checked.success ? checked.data.q ?? "" : "").toLowerCase();
  return {
    filter: { q: part || null, type: type ?? null },
    matches: (element) => (type === void 0 || element.type === type) && (part === "" || element.name.toLowerCase().includes(part)),
    warnings: ignoredFields(given, ["q", "type"])
  };
}

// src/elements/elements.routes.ts
var elementPage = listOf(elementSchema);
function searchPage(world, request, caller, { filter, matches, warnings }) {
  const elements = world.store.elements.in("organization", caller.organization);
  const list = { organization: caller.organization, filter };
  const found = page(world, request, list, elements, (element) => presentElement(world, element), matches);
  return { ...found, notes: { ...found.notes, warnings } };
}
var elementRoutes = [
  route(
    "GET",
    "/v0/elements",
    {
      id: "listElements",
      summary: "List elements",
      source: "spec: \xA74.2",
      scope: "elements:read",
      query: pageQuery,
      answer: elementPage
    },
    (world, request) => {
      const caller = authenticate(world, request, "elements:read");
      const elements = world.store.elements.in("organization", caller.organization);
      return page(world, request, caller, elements, (element) => presentElement(world, element));
    }
  ),
  route(
    "POST",
    "/v0/elements",
    {
      id: "createElement",
      summary: "Create an element",
      source: "spec: \xA74.3",
      scope: null,
      body: createBody,
      answer: elementSchema
    },
    (world, request) => {
      const caller = authenticate(world, request, null);
      const { element, warnings } = createElement(world, caller, jsonBody(request));
      return payload(presentElement(world, element), warnings);
    }
  ),
  route(
    "GET",
    "/v0/elements/search",
    {
      id: "searchElements",
      summary: "Search elements",
      source: "spec: \xA74.7",
      scope: "elements:read",
      query: pageQuery.extend(searchFields.shape),
      answer: elementPage
    },
    (world, request) => {
      const caller = authenticate(world, request, "elements:read");
      return searchPage(world, request, caller, readSearch(world, jsonBody(request), request.query));
    }
  ),
  route(
    "POST",
    "/v0/elements/search",
    {
      id: "searchElementsByBody",
      summary: "Search elements",
      source: "spec: \xA74.7",
      scope: "elements:read",
      query: pageQuery,
      body: searchFields,
      answer: elementPage
    },
    (world, request) => {
      const caller = authenticate(world, request, "elements:read");
      return searchPage(world, request, caller, readSearch(world, jsonBody(request), void 0));
    }
  ),
  route(
    "GET",
    "/v0/elements/:id",
    {
      id: "retrieveElement",
      summary: "Retrieve an element",
      source: "spec: \xA74.4",
      scope: "elements:read",
      answer: elementSchema
    },
    (world, request) => {
      const caller = authenticate(world, request, "elements:read");
      return payload(presentElement(world, findElement(world, caller, request.params.id)));
    }
  ),
  route(
    ["PUT", "PATCH"],
    "/v0/elements/:id",
    {
      id: "updateElement",
      summary: "Update an element",
      source: "spec: \xA74.5",
      scope: null,
      body: updateBody,
      answer: elementSchema
    },
    (world, request) => {
      const caller = authenticate(world, request, null);
      const body = jsonBody(request);
      const { element, warnings } = updateElement(world, findElement(world, caller, request.params.id), body);
      return payload(presentElement(world, element), warnings);
    }
  ),
  route(
    "DELETE",
    "/v0/elements/:id",
    {
      id: "deleteElement",
      summary: "Delete an element",
      source: "spec: \xA74.6",
      scope: null,
      answer: deletedElement
    },
    (world, request) => {
      const caller = authenticate(world, request, null);
      jsonBody(request);
      const element = findElement(world, caller, request.params.id);
      deleteElement(world, element);
      return payload({ id: element.id, object: "element", deleted: true });
    }
  )
];

// src/members/members.routes.ts
var memberRoutes = [
  route(
    "GET",
    "/v0/members",
    {
      id: "listMembers",
      summary: "List the organization's members",
      source: "wire: \xA73",
      scope: "members:read",
      query: pageQuery,
      answer: listOf(memberSchema)
    },
    (world, request) => {
      const { organization } = authenticate(world, request, "members:read");
      const memberships = world.store.memberships.in("organization", organization);
      return page(world, request, { organization }, memberships, ({ user }) => presentMember(world, organization, user));
    }
  ),
  route(
    "GET",
    "/v0/members/:id",
    {
      id: "retrieveMember",
      summary: "Retrieve a member",
      source: "wire: \xA73",
      scope: "members:read",
      answer: memberSchema
    },
    (world, request) => {
      const caller = authenticate(world, request, "members:read");
      const { organization, user } = findMember(world, caller, request.params.id);
      return payload(presentMember(world, organization, user));
    }
  ),
  route(
    "GET",
    "/v0/courses/:id/members",
    {
      id: "listCourseMembers",
      summary: "List a course's members",
      source: "wire: \xA73",
      scope: "members:read",
      query: pageQuery,
      answer: listOf(courseMemberSchema)
    },
    (world, request) => {
      const caller = authenticate(world, request, "members:read");
      const course = findCourse(world, caller, request.params.id);
      const enrolments = world.store.course_members.in("course", course.id);
      return page(world, request, caller, enrolments, (enrolment) => presentCourseMember(world, enrolment));
    }
  ),
  route(
    "GET",
    "/v0/courses/:id/members/:member",
    {
      id: "retrieveCourseMember",
      summary: "Retrieve a member of a course",
      source: "wire: \xA73",
      scope: "members:read",
      answer: courseMemberSchema
    },
    (world, request) => {
      const caller = authenticate(world, request, "members:read");
      const course = findCourse(world, caller, request.params.id);
      return payload(presentCourseMember(world, findCourseMember(world, course, request.params.member)));
    }
  )
];

// src/modules/modules.routes.ts
import * as z6 from "zod";

// src/modules/modules.ts
import * as z5 from "zod";
function findModule(world, caller, id) {
  const module = world.store.modules.get(id);
  if (module?.organization === caller.organization) return module;
  const reason = module ? `The module ${id} belongs to another organization` : `There is no module ${id}`;
  throw new Refusal("not_found", { reason });
}
function presentModule(world, module) {
  const { id, name, course, metadata, created_at } = module;
  const position = world.store.modules.in("siblings", course).rank(module);
  return { id, object: "module", name, position, course, metadata, created_at };
}
var moduleSchema = resource("module", {
  name: z5.string(),
  position: z5.int().min(0),
  course: z5.string(),
  metadata: freeForm
}).meta({ id: "Module" });

// src/modules/modules.routes.ts
var moduleRoutes = [
  route(
    "GET",
    "/v0/modules",
    {
      id: "listModules",
      summary: "List modules",
      source: "wire: \xA73",
      scope: "modules:read",
      query: pageQuery.extend({ course: z6.string().optional().describe("Only the modules of this course") }),
      answer: listOf(moduleSchema)
    },
    (world, request) => {
      const { organization } = authenticate(world, request, "modules:read");
      const course = request.query.get("course");
      const { modules } = world.store;
      const records = course === null ? modules.in("organization", organization) : modules.in("course", course);
      return page(
        world,
        request,
        { organization, filter: { course } },
        records,
        (module) => presentModule(world, module),
        (module) => module.organization === organization
      );
    }
  ),
  route(
    "GET",
    "/v0/modules/:id",
    {
      id: "retrieveModule",
      summary: "Retrieve a module",
      source: "wire: \xA73",
      scope: "modules:read",
      answer: moduleSchema
    },
    (world, request) => {
      const caller = authenticate(world, request, "modules:read");
      return payload(presentModule(world, findModule(world, caller, request.params.id)));
    }
  )
];

// src/api/api.routes.ts
var apiRoutes = [
  ...courseRoutes,
  ...moduleRoutes,
  ...elementRoutes,
  ...memberRoutes,
  ...activityRoutes,
  route(
    "GET",
    "/v0/openapi.json",
    { id: "getOpenApiDocument", summary: "This document", source: "wire: \xA73", open: true },
    async (world) => {
      const { apiDocument } = await import("./api-document-Z3STJIP6.js");
      return { status: 200, body: apiDocument(world, apiRoutes) };
    }
  )
];
export {
  apiRoutes
};
