import {
  Refusal,
  invalid
} from "./chunk-MW7MI5LZ.js";
import {
  describeIssue,
  issuesOf
} from "./chunk-OEGBZOM3.js";

// src/schema/json-depth.ts
var MOST_LEVELS = 100;
var QUOTE = 34;
var BACKSLASH = 92;
var OPENING = /* @__PURE__ */ new Set([91, 123]);
var CLOSING = /* @__PURE__ */ new Set([93, 125]);
function isDeep(text) {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === BACKSLASH) index++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (OPENING.has(code)) {
      if (++depth > MOST_LEVELS) return true;
    } else if (CLOSING.has(code)) depth--;
  }
  return false;
}

// src/http/json-body.ts
var isJson = (contentType) => /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType.trim());
function jsonBody(request) {
  if (request.bodyTooLarge) throw new Refusal("too_large");
  if (request.body.length === 0) return void 0;
  const contentType = request.headers["content-type"] ?? "";
  if (!isJson(contentType)) {
    const reason = contentType ? `Content-Type is ${contentType}` : "Content-Type is missing";
    throw new Refusal("unsupported_media_type", { reason });
  }
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(request.body);
  } catch {
    throw new Refusal("malformed", { reason: "The body is not UTF-8" });
  }
  refuseDeep(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refusal("malformed", { reason: error instanceof Error ? withoutExcerpt(error.message) : void 0 });
  }
}
var withoutExcerpt = (message) => message.startsWith('"') ? void 0 : message.replace(/, (?:\.\.\.)?"[\s\S]*$/, "");
function refuseDeep(text) {
  if (isDeep(text)) throw invalid([{ path: "", message: `is nested more than ${MOST_LEVELS} levels deep` }]);
}
function parse(schema, value, prefix = []) {
  const result = schema.safeParse(value, { error: describeIssue });
  if (result.success) return result.data;
  throw invalid(issuesOf(result.error, prefix));
}

export {
  jsonBody,
  refuseDeep,
  parse
};
