import {
  elementTypeNames
} from "./chunk-JD7TKZ54.js";
import {
  duration,
  realDuration
} from "./chunk-OLY32F6C.js";

// src/world/setting-schemas.ts
import * as z2 from "zod";

// src/world/setting-table.ts
var kindsOfText = {
  text: (text) => text,
  number: (text) => /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text,
  boolean: (text) => ({ true: true, "1": true, yes: true, "": true, false: false, "0": false, no: false })[text.toLowerCase()] ?? text,
  duration: (text) => /^\d+$/.test(text) ? Number(text) : text,
  list: (text) => text.split(",").map((part) => part.trim()).filter(Boolean),
  durations: (text) => kindsOfText.list(text).map(kindsOfText.duration),
  map: (text) => Object.fromEntries(
    text.split(",").filter(Boolean).map((pair) => [pair.split("=")[0]?.trim(), pair.split("=").slice(1).join("=").trim()])
  )
};
var setting = (kind, describe, { fits = () => false, process = false } = {}) => ({ kind, describe, process, fits });
var between = (least, most = Number.MAX_SAFE_INTEGER) => (value) => Number.isInteger(value) && value >= least && value <= most;
var isText = (value) => typeof value === "string" && value !== "";
var isBoolean = (value) => typeof value === "boolean";
var settingTable = {
  port: setting("number", "Port to listen on; 0 for any free one", { fits: between(0, 65535), process: true }),
  host: setting("text", "Address to listen on", { fits: isText, process: true }),
  https: setting("boolean", "Serve HTTPS with a certificate of the local authority", {
    fits: isBoolean,
    process: true
  }),
  app_url: setting("text", "Origin of the web application and the OAuth endpoints: the issuer"),
  browser_url: setting("text", "Origin under which a browser reaches the emulator"),
  trust_hosts: setting("list", "Hosts that webhooks and the control API trust"),
  store: setting("text", 'Store file, or "memory" to keep nothing', { fits: isText, process: true }),
  seed: setting("text", "Makes every id, token and random choice reproducible", { fits: isText, process: true }),
  now: setting("text", "Time at which the clock starts, stopped", { process: true }),
  page_size: setting("number", "Items on a page of a list", { fits: between(1) }),
  rate_limit: setting("number", "Requests a minute for each credential", { fits: between(1) }),
  access_token_ttl: setting("duration", "Lifetime of access tokens"),
  id_token_ttl: setting("duration", "Lifetime of id_tokens"),
  refresh_token_ttl: setting("duration", "Lifetime of refresh tokens"),
  code_ttl: setting("duration", "Lifetime of authorization codes"),
  ack_window: setting("duration", "Time an app has to acknowledge app.installed"),
  attempt_timeout: setting("duration", "Time-out of any other webhook attempt"),
  retry_schedule: setting("durations", "Waits before the second, third \u2026 attempt of a webhook"),
  header_prefix: setting("text", "Prefix of the webhook headers"),
  allow_public_webhooks: setting("boolean", "Let webhooks go to public addresses", { fits: isBoolean }),
  webhook_ca: setting("text", "PEM file of authorities to trust for https webhooks", { fits: isText, process: true }),
  element_type_names: setting("map", "Other names of element types on the wire"),
  admin_token: setting("text", "Bearer token that the control API requires", { fits: isText, process: true }),
  journal_size: setting("number", "Requests that the journal keeps", { fits: between(0) }),
  journal_admin: setting("boolean", "Keep calls to the control API in the journal too", { fits: isBoolean }),
  retention: setting("number", "Ended tokens, codes, sessions and deliveries kept, each", { fits: between(0) }),
  worlds: setting("number", "Number of worlds, one on each port from `port` on", {
    fits: between(1, 256),
    process: true
  })
};
var settingNames = Object.keys(settingTable);

// src/world/type-name-map.ts
import * as z from "zod";
var typeNameMap = z.record(z.string(), z.string().min(1)).superRefine((names, context) => {
  for (const type of Object.keys(names)) {
    if (!elementTypeNames.some((name) => name === type)) {
      const message = `is not an element type; they are ${elementTypeNames.join(", ")}`;
      context.addIssue({ code: "custom", path: [type], message });
    }
  }
  const used = elementTypeNames.map((type) => Object.hasOwn(names, type) ? names[type] : type);
  for (const [index, type] of elementTypeNames.entries()) {
    const other = elementTypeNames[used.indexOf(used[index])];
    if (other === type || other === void 0) continue;
    const path = Object.hasOwn(names, type) ? type : other;
    context.addIssue({ code: "custom", path: [path], message: `"${used[index]}" would name both ${other} and ${type}` });
  }
});

// src/world/setting-schemas.ts
var origin = z2.url({ protocol: /^https?$/, error: "must be an http or https URL" }).refine((url2) => new URL(url2).pathname === "/" && !/[?#]/.test(url2), "must be an origin: no path, query or fragment").transform((url2) => new URL(url2).origin);
var count = z2.int().min(1);
var headerPrefix = z2.string().regex(/^[A-Za-z0-9-]+$/, "must be letters, digits and hyphens");
var schemas = {
  port: z2.int().min(0).max(65535),
  host: z2.string().min(1),
  https: z2.boolean(),
  app_url: origin,
  browser_url: origin,
  trust_hosts: z2.array(z2.string().min(1)),
  store: z2.string().min(1),
  seed: z2.coerce.string().min(1),
  now: z2.iso.datetime({ offset: true }),
  page_size: count,
  rate_limit: count,
  access_token_ttl: duration,
  id_token_ttl: duration,
  refresh_token_ttl: duration,
  code_ttl: duration,
  ack_window: realDuration,
  attempt_timeout: realDuration,
  retry_schedule: z2.array(duration),
  header_prefix: headerPrefix,
  allow_public_webhooks: z2.boolean(),
  webhook_ca: z2.string().min(1),
  element_type_names: typeNameMap,
  admin_token: z2.string().min(1),
  journal_size: z2.int().min(0),
  journal_admin: z2.boolean(),
  retention: z2.int().min(0),
  worlds: count.max(256)
};
var settingsSchema = z2.strictObject(
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      schema.meta({ description: settingTable[name].describe }).optional()
    ])
  )
);

export {
  kindsOfText,
  settingTable,
  settingNames,
  settingsSchema
};
