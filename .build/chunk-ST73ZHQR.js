import {
  invalid
} from "./chunk-MW7MI5LZ.js";
import {
  describeIssue,
  issuesOf
} from "./chunk-OEGBZOM3.js";
import {
  elementTypeNames
} from "./chunk-JD7TKZ54.js";
import {
  isObject
} from "./chunk-ELCYYWVK.js";

// src/elements/type-names.ts
import * as z from "zod";
var wireTypeSchema = z.string().meta({ description: "An element type" });
var wireType = ({ settings: { element_type_names: names } }, type2) => Object.hasOwn(names, type2) ? names[type2] : type2;
var neutralType = (world, name) => elementTypeNames.find((type2) => wireType(world, type2) === name);

// src/elements/element-types.ts
import * as z6 from "zod";

// src/elements/fields.ts
import * as z2 from "zod";
var URL_LIMIT = 2048;
function fits(text2, limit) {
  if (text2.length <= limit) return true;
  if (text2.length > 2 * limit) return false;
  return [...text2].length <= limit;
}
var text = z2.string();
var textUpTo = (limit) => z2.string().refine((value) => fits(value, limit), `must have at most ${limit} characters`).meta({ maxLength: limit });
var integer = ({ min, max } = {}) => {
  let schema = z2.number();
  if (min !== void 0) schema = schema.min(min);
  if (max !== void 0) schema = schema.max(max);
  return schema.refine(Number.isInteger, "must be an integer").meta({ type: "integer" });
};
var percentage = integer({ min: 0, max: 100 });
var WEB_URL = /^https?:\/\/[^\s]+$/i;
var webUrl = z2.string().refine((value) => WEB_URL.test(value) && URL.canParse(value), "must be an http or https URL").refine((value) => fits(value, URL_LIMIT), `must have at most ${URL_LIMIT} characters`).meta({ maxLength: URL_LIMIT, pattern: "^[hH][tT][tT][pP][sS]?://" });
var DATE = z2.core.regexes.date.source.slice(1, -1);
var TIME = "(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?";
var OFFSET = "(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)";
var date = z2.string().regex(
  new RegExp(`^${DATE}(?:T${TIME}${OFFSET})?$`),
  "must be an ISO 8601 date, or a date-time with Z or an offset: 2026-01-31 or 2026-01-31T09:00:00Z"
);
var NEW_ID = "\0new";
var ITEM_ID_LENGTH = 64;
var PRINTABLE = /^[^\p{C}\p{Zl}\p{Zp}]*$/u;
var itemId = z2.string().refine((id) => PRINTABLE.test(id), "must hold printable characters only").refine((id) => id !== "" && fits(id, ITEM_ID_LENGTH), `must have 1 to ${ITEM_ID_LENGTH} characters`).meta({ minLength: 1, maxLength: ITEM_ID_LENGTH, pattern: PRINTABLE.source }).default(NEW_ID).meta({ description: "Kept when given, else generated", default: void 0 });
var list = (item, { min = 0 } = {}) => (min > 0 ? z2.array(item).min(min) : z2.array(item)).superRefine(reportRepeatedIds, { when: () => true });
function reportRepeatedIds(items2, context) {
  if (!Array.isArray(items2)) return;
  const seen = /* @__PURE__ */ new Map();
  for (const [index, item] of items2.entries()) {
    if (!isObject(item) || typeof item.id !== "string" || item.id === NEW_ID) continue;
    const first = seen.get(item.id);
    if (first === void 0) seen.set(item.id, index);
    else context.addIssue({ code: "custom", path: [index, "id"], message: `is also the id of item ${first}` });
  }
}
function kinds(common2, table, rule) {
  const shared = z2.object({ id: itemId, ...common2 });
  const [first, ...rest] = Object.entries(table).map(
    ([type2, extra]) => z2.strictObject({ id: itemId, type: z2.literal(type2), ...common2, ...extra })
  );
  if (!first) throw new Error("There must be a kind");
  return z2.discriminatedUnion("type", [first, ...rest]).superRefine(
    (item, context) => {
      if (!isObject(item)) return;
      if (typeof item.type === "string" && Object.hasOwn(table, item.type)) rule(item, context);
      else
        for (const issue of shared.safeParse(item, { error: describeIssue }).error?.issues ?? [])
          context.addIssue({ ...issue });
    },
    { when: () => true }
  );
}

// src/elements/property-rules.ts
var onlyUrlVideosChange = ({ changed, result }) => Object.hasOwn(changed, "video_url") && result.video_type === "SOURCE" ? [{ path: "video_url", message: 'can only change while video_type is URL; send video_type "URL" with it' }] : [];
var membersInOrder = ({ changed, result: { min_members, max_members } }) => {
  if (typeof min_members !== "number" || typeof max_members !== "number" || max_members >= min_members) return [];
  return Object.hasOwn(changed, "max_members") ? [{ path: "max_members", message: `must not be below min_members (${min_members})` }] : [{ path: "min_members", message: `must not be above max_members (${max_members})` }];
};

// src/elements/questions.ts
import * as z3 from "zod";
var option = z3.strictObject({ id: itemId, text });
var quizQuestion = z3.strictObject({
  id: itemId,
  text,
  shuffle: z3.boolean().default(false),
  require_all_correct: z3.boolean().default(false),
  answers: list(z3.strictObject({ id: itemId, text, is_correct: z3.boolean() }), { min: 1 })
});
var submissionQuestion = z3.strictObject({
  id: itemId,
  text,
  accept_text: z3.boolean().default(true),
  text_required: z3.boolean().default(false),
  accept_file: z3.boolean().default(false),
  file_required: z3.boolean().default(false),
  file_multiple: z3.boolean().default(false)
});
var surveyQuestion = z3.strictObject({ id: itemId, text, options: list(option, { min: 2 }) });
var checklistItem = z3.strictObject({ id: itemId, text });
var common = { text, optional: z3.boolean().default(false) };
function rangeInOrder({ range_min, range_max }, context) {
  if (typeof range_min !== "number" || typeof range_max !== "number" || range_max >= range_min) return;
  context.addIssue({ code: "custom", path: ["range_max"], message: `must not be below range_min (${range_min})` });
}
var formQuestion = kinds(
  common,
  {
    TEXT: { min_words: integer({ min: 0 }).default(1) },
    NUMBER_SCALE: { range_min: integer().default(1), range_max: integer().default(10) },
    MULTIPLE_CHOICE: { options: list(option, { min: 1 }) },
    STACK_RANK: { options: list(option, { min: 1 }) },
    INFO_BOX: {}
  },
  rangeInOrder
);
var unsetNumber = integer().nullable().default(null);
var unsetText = text.nullable().default(null);
var rubricQuestion = kinds(
  common,
  {
    TEXT: { min_words: integer({ min: 0 }).nullable().default(null) },
    TEXT_SCALE: { options: z3.array(z3.strictObject({ text })).min(1) },
    NUMBER_SCALE: { range_min: unsetNumber, range_max: unsetNumber },
    YES_NO: { yes_text: unsetText, no_text: unsetText },
    INFO_BOX: {}
  },
  rangeInOrder
);

// src/elements/score-inputs.ts
import * as z5 from "zod";

// src/elements/references.ts
function refer(world, { organization, course }, id) {
  const element = world.store.elements.get(id);
  if (element?.organization !== organization) return { issue: `there is no element "${id}"` };
  if (course !== void 0 && element.course !== course) return { issue: `the element "${id}" is in another course` };
  return { element };
}

// src/elements/sources.ts
import * as z4 from "zod";
var sentSource = z4.strictObject({ id: text, type: z4.unknown().optional(), name: z4.unknown().optional() }).transform(({ id }) => ({ id }));
var shownSource = z4.strictObject({ type: wireTypeSchema, id: text, name: text });
var sourceId = (source2) => isObject(source2) && typeof source2.id === "string" ? source2.id : void 0;
var presentSource = (world, source2) => {
  const element = world.store.elements.get(sourceId(source2) ?? "");
  return element ? { type: wireType(world, element.type), id: element.id, name: element.name } : null;
};
var sourceIs = (types) => (world, referrer) => {
  const id = Object.hasOwn(referrer.changed, "source") ? sourceId(referrer.changed.source) : void 0;
  if (id === void 0) return [];
  const found = refer(world, referrer, id);
  if ("issue" in found) return [{ path: "source", message: found.issue }];
  if (types.includes(found.element.type)) return [];
  const wanted = types.map((type2) => wireType(world, type2)).join(" or ");
  return [
    { path: "source", message: `must be of type ${wanted}; it is of type ${wireType(world, found.element.type)}` }
  ];
};

// src/elements/score-inputs.ts
var scoreInput = z5.strictObject({
  id: itemId,
  element: text,
  weight: integer({ min: 1 }).default(1),
  scored_via: text.nullable().default(null)
});
var reviewsOf = {
  SUBMISSION: ["PEER_REVIEW", "AI_REVIEW", "INSTRUCTOR_REVIEW"],
  PEER_REVIEW: ["FEEDBACK_REFLECTION"]
};
var refersWithinTheCourse = (world, referrer) => {
  const inputs = Object.hasOwn(referrer.changed, "inputs") ? referrer.changed.inputs : void 0;
  if (!Array.isArray(inputs)) return [];
  return inputs.flatMap(
    (input, index) => (isObject(input) ? issuesOfInput(world, referrer, input) : []).map(({ path, message }) => ({
      path: `inputs.${index}.${path}`,
      message
    }))
  );
};
function issuesOfInput(world, referrer, { element: id, scored_via }) {
  const issues = [];
  let graded;
  if (typeof id === "string") {
    const found = refer(world, referrer, id);
    if ("issue" in found) issues.push({ path: "element", message: found.issue });
    else if (id === referrer.id) issues.push({ path: "element", message: "must not be the score itself" });
    else graded = found.element;
  }
  if (typeof scored_via !== "string") return issues;
  const issue = issueOfReview(world, referrer, scored_via, graded);
  return issue ? [...issues, { path: "scored_via", message: issue }] : issues;
}
function issueOfReview(world, referrer, id, graded) {
  const reviews = graded ? reviewsOf[graded.type] ?? [] : void 0;
  if (graded && reviews?.length === 0)
    return `is not possible for an element of type ${wireType(world, graded.type)}; leave it out`;
  const found = refer(world, referrer, id);
  if ("issue" in found) return found.issue;
  const review2 = found.element;
  if (!graded || !reviews) return void 0;
  if (!reviews.includes(review2.type)) {
    const wanted = reviews.map((type2) => wireType(world, type2)).join(" or ");
    return `must be of type ${wanted}; it is of type ${wireType(world, review2.type)}`;
  }
  const source2 = sourceId(review2.properties.source);
  return source2 === void 0 || source2 === graded.id || referrer.exported ? void 0 : `must be a review of "${graded.id}", but its source is "${source2}"`;
}

// src/elements/element-types.ts
var type = (properties, { rules = [], changes = [], references = [] } = {}) => ({ properties, rules, changes, references });
var optional = (sent) => ({ sent, unset: null });
var items = (item) => ({ sent: list(item), unset: [] });
var source = { sent: sentSource, unset: null, shown: shownSource, present: presentSource };
var dates = { start_date: optional(date), end_date: optional(date) };
var whoMay = optional(z6.enum(["everyone", "lecturers"]));
var providerMeeting = () => type({ ...dates, meeting_reports: optional(z6.boolean()) });
var submission = () => type({ questions: items(submissionQuestion) });
var review = (...sources) => type({ source, questions: items(rubricQuestion) }, { references: [sourceIs(sources)] });
var completionRule = z6.strictObject({ type: z6.enum(["POST", "COMMENT"]), count: integer({ min: 1 }) });
var completionRules = z6.strictObject({
  operator: z6.enum(["AND", "OR"]).default("AND"),
  rules: z6.array(completionRule).min(1).superRefine(
    (rules, context) => {
      if (!Array.isArray(rules)) return;
      const types = rules.map((rule) => rule?.type);
      for (const [index, type2] of types.entries()) {
        if (typeof type2 !== "string" || types.indexOf(type2) === index) continue;
        context.addIssue({
          code: "custom",
          path: [index, "type"],
          message: `is given twice: ${type2} may have one rule`
        });
      }
    },
    { when: () => true }
  )
});
var elementTypes = {
  CONTENT: type({}),
  /** spec: §2.3. A SOURCE video was uploaded in the web app, so its URL is not for clients to set. */
  VIDEO: type(
    { video_url: optional(webUrl), video_type: { sent: z6.enum(["URL", "SOURCE"]), unset: "URL" } },
    { changes: [onlyUrlVideosChange] }
  ),
  MEETING_PROVIDER_A: providerMeeting(),
  MEETING_PROVIDER_B: providerMeeting(),
  MEETING_LINK: type({ meeting_url: optional(webUrl), ...dates }),
  QUIZ: type({
    passing_score: optional(percentage),
    completion_trigger: optional(z6.enum(["on_pass", "on_submit"])),
    questions: items(quizQuestion)
  }),
  SUBMISSION: submission(),
  GROUP_SUBMISSION: submission(),
  EMBED: type({ embed: optional(text) }),
  SURVEY: type({ questions: items(surveyQuestion) }),
  SCORM: type({
    scorm_url: optional(webUrl),
    scorm_user_identifier: optional(z6.enum(["user_id", "user_email"]))
  }),
  CERTIFICATE: type({
    certificate_title: optional(text),
    certificate_description: optional(text),
    certificate_course_name: optional(text),
    certificate_issued_by: optional(text)
  }),
  TAG: type({}),
  PARTNER_LEARNING: type({}),
  SELF_REVIEW: review("SUBMISSION"),
  PEER_REVIEW: review("SUBMISSION"),
  AI_REVIEW: review("SUBMISSION"),
  INSTRUCTOR_REVIEW: review("SUBMISSION", "GROUP_SUBMISSION"),
  FEEDBACK_REFLECTION: review("PEER_REVIEW"),
  GROUP_PEER_REVIEW: review("GROUP_SUBMISSION"),
  GROUP_FEEDBACK_REFLECTION: review("GROUP_PEER_REVIEW"),
  /** spec: §2.3. It has no questions. */
  INSTRUCTOR_DISCUSSION: type({ source }, { references: [sourceIs(["SUBMISSION", "GROUP_SUBMISSION"])] }),
  CHECKLIST: type({ questions: items(checklistItem) }),
  DISCUSSION: type({ restrict_posts_to: whoMay, completion_rules: optional(completionRules) }),
  FILE: type({ file_url: optional(webUrl) }),
  GROUP_FORMATION: type(
    {
      min_members: optional(integer({ min: 1 })),
      max_members: optional(integer({ min: 1 })),
      restrict_group_creation_to: whoMay,
      group_threads_enabled: optional(z6.boolean())
    },
    { rules: [membersInOrder] }
  ),
  FORM: type({ questions: items(formQuestion) }),
  SCORE: type(
    {
      passing_score: optional(percentage),
      passing_score_comparator: optional(
        z6.enum(["greater_than", "greater_than_or_equal", "equal_to", "less_than", "less_than_or_equal"])
      ),
      incomplete_inputs_handling: optional(z6.enum(["ignore", "score_as_zero"])),
      inputs: items(scoreInput)
    },
    { references: [refersWithinTheCourse] }
  )
};
var isElementType = (name) => typeof name === "string" && Object.hasOwn(elementTypes, name);

// src/elements/metadata.ts
import * as z7 from "zod";
var KEYS = 50;
var KEY_LENGTH = 40;
var VALUE_LENGTH = 500;
var scalar = z7.union([z7.string(), z7.number(), z7.boolean()]);
var metadata = z7.unknown().superRefine((value, context) => {
  for (const issue of issuesOf2(value)) context.addIssue({ code: "custom", ...issue });
}).transform(
  (value) => Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, String(entry)]))
);
var metadataShape = z7.record(
  z7.string().regex(/^[^[\]]*$/).max(KEY_LENGTH),
  scalar
).meta({ maxProperties: KEYS });
var shownMetadata = z7.record(z7.string(), z7.string());
function* issuesOf2(value) {
  if (!isObject(value)) return yield { path: [], message: "must be an object of strings" };
  const entries = Object.entries(value);
  if (entries.length > KEYS) yield { path: [], message: `must have at most ${KEYS} keys, not ${entries.length}` };
  for (const [key, entry] of entries) {
    for (const message of [...issuesOfKey(key), ...issuesOfValue(entry)]) yield { path: [key], message };
  }
}
function* issuesOfKey(key) {
  if (!fits(key, KEY_LENGTH)) yield `the key must have at most ${KEY_LENGTH} characters`;
  if (/[[\]]/.test(key)) yield "the key must not have [ or ] in it";
}
function* issuesOfValue(value) {
  if (!scalar.safeParse(value).success) yield "must be a string, a number or a boolean";
  else if (!fits(String(value), VALUE_LENGTH)) yield `must have at most ${VALUE_LENGTH} characters`;
}

// src/elements/element-body.ts
import * as z8 from "zod";

// src/schema/check.ts
function check(schema, value, prefix = []) {
  if (isLong(value)) {
    const { issues: issues2 } = judge(schema, shortened(value), prefix);
    if (issues2.length >= MANY) {
      const more = { path: prefix.join("."), message: `has more faults than the first ${MANY}` };
      return { success: false, issues: [...issues2.slice(0, MANY), more] };
    }
  }
  const { read, issues } = judge(schema, value, prefix);
  return issues.length === 0 ? { success: true, data: read } : { success: false, issues };
}
function judge(schema, value, prefix) {
  try {
    const result = schema.safeParse(value, { error: describeIssue });
    if (result.success) return { read: result.data, issues: [] };
    return { issues: issuesOf(result.error, prefix) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { issues: [{ path: prefix.join("."), message: "has too many faults to list" }] };
  }
}
var MANY = 2e4;
var DEPTH = 8;
var isLong = (value, depth = 0) => typeof value === "object" && value !== null && depth < DEPTH && (Array.isArray(value) && value.length > MANY || Object.values(value).some((inner) => isLong(inner, depth + 1)));
function shortened(value, depth = 0) {
  if (typeof value !== "object" || value === null || depth >= DEPTH) return value;
  if (Array.isArray(value)) return value.slice(0, MANY).map((item) => shortened(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner, depth + 1)]));
}

// src/elements/element-body.ts
var NAME_LENGTH = 255;
var elementName = textUpTo(NAME_LENGTH).min(1, "must not be empty");
var fields = {
  module: text,
  name: elementName,
  content: text.nullable().transform((content) => content ?? ""),
  position: integer({ min: 0 }),
  type: z8.unknown(),
  metadata,
  properties: z8.unknown().refine(isObject, "must be an object")
};
var forCreate = { known: Object.keys(fields), required: ["module", "name", "type"] };
var forUpdate = {
  known: ["name", "content", "position", "metadata", "properties"],
  required: []
};
var forDocument = {
  known: ["name", "content", "metadata", "properties"],
  required: ["name"]
};
var readDocumentFields = (element) => readBody(element, forDocument);
var readCreateBody = (body) => readBody(body, forCreate);
var readUpdateBody = (body) => readBody(body, forUpdate);
function readBody(body, { known, required }) {
  const given = body === void 0 ? {} : body;
  if (!isObject(given)) throw invalid([{ path: "", message: "the body must be a JSON object" }]);
  const read = { fields: {}, issues: [], warnings: ignoredFields(given, known) };
  for (const field of known) {
    if (!Object.hasOwn(given, field)) {
      if (required.includes(field)) read.issues.push({ path: field, message: "is required" });
      continue;
    }
    const checked = check(fields[field], given[field], [field]);
    if (checked.success) Object.assign(read.fields, { [field]: checked.data });
    else read.issues = read.issues.concat(checked.issues);
  }
  return read;
}
var ignoredFields = (body, known) => Object.keys(body).filter((key) => !known.includes(key)).map((path) => ({ code: "ignored_field", path, message: "This field is not read here; it was ignored" }));

export {
  check,
  text,
  integer,
  NEW_ID,
  metadataShape,
  shownMetadata,
  elementName,
  readDocumentFields,
  readCreateBody,
  readUpdateBody,
  ignoredFields,
  wireTypeSchema,
  wireType,
  neutralType,
  elementTypes,
  isElementType
};
