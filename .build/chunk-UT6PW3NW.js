import {
  Refusal
} from "./chunk-MW7MI5LZ.js";

// src/web-app/forms.ts
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

// src/web-app/html.ts
var Html = class {
  constructor(text) {
    this.text = text;
  }
  text;
};
function html(strings, ...parts) {
  return new Html(String.raw({ raw: strings }, ...parts.map(render)));
}
function render(part) {
  if (part === false || part === null || part === void 0) return "";
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(render).join("");
  return String(part).replace(/[&<>"'`]/g, (character) => entities[character]);
}
var entities = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;"
};

// src/web-app/forms.ts
var createFormKey = (seed) => seed === void 0 ? randomBytes(32).toString("base64url") : createHash("sha256").update(`form:${seed}`).digest("base64url");
var tokenFor = (world, session) => session?.session.csrf ?? world.formKey;
var csrfField = (world, session) => html`<input type="hidden" name="csrf" value="${tokenFor(world, session)}">`;
function readPageForm(world, request, session) {
  if (request.bodyTooLarge) throw new Refusal("too_large");
  const type = request.headers["content-type"] ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type.trim())) {
    throw new Refusal("invalid", { message: "This address takes what a form on one of its pages sends." });
  }
  const form = new URLSearchParams(request.body.toString("utf8"));
  const given = Buffer.from(form.get("csrf") ?? "");
  const token = Buffer.from(tokenFor(world, session));
  if (given.length === token.length && timingSafeEqual(given, token)) return form;
  throw new Refusal("forbidden", {
    message: "This form has expired. Go back, load the page again and repeat what you did.",
    reason: form.has("csrf") ? "The csrf field is not the one of this session" : "The form has no csrf field"
  });
}

export {
  html,
  createFormKey,
  csrfField,
  readPageForm
};
