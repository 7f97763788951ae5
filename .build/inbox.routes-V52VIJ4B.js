import {
  refuseDeep
} from "./chunk-KIUJWS5H.js";
import {
  route
} from "./chunk-6ONNPK7B.js";
import {
  headerNames,
  sign
} from "./chunk-QGXP4U22.js";
import {
  Refusal
} from "./chunk-MW7MI5LZ.js";
import "./chunk-OEGBZOM3.js";

// src/webhooks/inbox.routes.ts
import { setTimeout as wait } from "node:timers/promises";
var inboxRoutes = [
  route(
    ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
    "/_inbox/:name",
    { id: "receive", summary: "A built-in receiver", source: "control-api: Webhooks", open: true },
    async (world, request) => {
      if (request.bodyTooLarge) throw new Refusal("too_large");
      const { name } = request.params;
      refuseDeep(request.body.toString());
      world.inboxes.add(name, entryOf(world, request));
      const { status, delay, headers } = world.inboxes.behaviour(name);
      if (delay > 0) await wait(delay, void 0, { signal: request.signal }).catch(() => void 0);
      return { status, headers };
    }
  )
];
function entryOf(world, request) {
  const raw = request.body.toString();
  const body = jsonOr(raw);
  const app = signerOf(world, request, body);
  return {
    at: world.clock.timestamp(),
    event: textField(body, "type") ?? null,
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    body,
    raw,
    verified: app !== void 0,
    app: app?.id ?? null
  };
}
function signerOf(world, request, body) {
  const signature = request.headers[headerNames(world.settings.header_prefix).signature.toLowerCase()];
  if (typeof signature !== "string") return void 0;
  const { apps, installations } = world.store;
  const signed = (app) => app && sign(request.body, app.signing_secret) === signature ? app : void 0;
  const named = installations.get(textField(body, "installation_id") ?? "")?.app;
  return signed(apps.get(named ?? "")) ?? [...apps.all].find(signed);
}
function textField(body, name) {
  const value = typeof body === "object" && body !== null ? body[name] : void 0;
  return typeof value === "string" ? value : void 0;
}
function jsonOr(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
export {
  inboxRoutes
};
