// src/schema/did-you-mean.ts
var LONGEST = 64;
function didYouMean(given, known) {
  const [nearest] = (given.length > LONGEST ? [] : known).map((name) => ({ name, distance: distanceOf(given.toLowerCase(), name.toLowerCase()) })).filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 3))).sort((a, b) => a.distance - b.distance);
  if (nearest) return `; did you mean "${nearest.name}"?`;
  return known.length > 0 ? `; known are ${known.join(", ")}` : "; there are none";
}
function distanceOf(a, b) {
  let before = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? before[j - 2] + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(change, swap, row[j] + 1, next[j - 1] + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length];
}

// src/schema/schema-issues.ts
var MOST_ISSUES = 100;
var SEPARATOR = "\n";
var nameOf = (value) => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number" && !Number.isFinite(value)) return "a number beyond what a double holds";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
};
var expectations = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
  nonoptional: "a value"
};
var oneOf = (values) => values.length === 1 ? String(values[0]) : `one of ${values.join(", ")}`;
var must = (what, input) => input === void 0 ? `is required: ${what}` : `must be ${what}, not ${nameOf(input)}`;
var mustBeOneOf = (values, input) => typeof input === "string" ? `must be ${oneOf(values)}` : must(oneOf(values), input);
function describeIssue(issue) {
  switch (issue.code) {
    case "invalid_type":
      return must(expectations[issue.expected] ?? issue.expected, issue.input);
    case "invalid_value":
      return mustBeOneOf(issue.values, issue.input);
    case "invalid_union":
      return issue.options ? mustBeOneOf(issue.options, tagOf(issue)) : void 0;
    case "too_small":
      if (issue.origin === "array")
        return `must have at least ${issue.minimum} ${issue.minimum === 1 ? "item" : "items"}`;
      if (issue.origin === "string" && issue.minimum === 1) return "must not be empty";
      return `must be at least ${issue.minimum}`;
    case "too_big":
      return `must be at most ${issue.maximum}`;
    case "unrecognized_keys": {
      const shape = issue.inst?._zod.def.shape ?? {};
      const known = Object.keys(shape);
      return issue.keys.slice(0, MOST_ISSUES).map((key) => `is not a known field${didYouMean(key, known)}`).join(SEPARATOR);
    }
    default:
      return void 0;
  }
}
var tagOf = (issue) => issue.input?.[String(issue.discriminator)];
function pathIssuesOf(error) {
  return error.issues.flatMap((issue) => {
    const path = issue.path;
    if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
    const messages = issue.message.split(SEPARATOR);
    return issue.keys.map((key, index) => ({
      path: [...path, key],
      message: messages[index] ?? "is not a known field"
    }));
  });
}
var issuesOf = (error, prefix = []) => pathIssuesOf(error).map(({ path, message }) => ({ path: [...prefix, ...path].join("."), message }));

export {
  didYouMean,
  MOST_ISSUES,
  describeIssue,
  pathIssuesOf,
  issuesOf
};
