import {
  fireFault
} from "./chunk-H2GNJO72.js";
import {
  Refusal,
  refusals
} from "./chunk-MW7MI5LZ.js";
import {
  LONGEST_REAL
} from "./chunk-7L5WAEY2.js";
import {
  isObject
} from "./chunk-ELCYYWVK.js";

// src/faults/apply-fault.ts
import { STATUS_CODES } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

// src/faults/altered-body.ts
function altered(body, { merge, omit = [] }) {
  if (merge === void 0 && omit.length === 0 || !isObject(body) || Buffer.isBuffer(body)) return body;
  const result = merged(structuredClone(body), merge ?? {});
  for (const path of omit) remove(result, path.split("."));
  return result;
}
function merged(target, source) {
  const result = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(source)) {
    const own = Object.hasOwn(result, name) ? result[name] : void 0;
    Object.defineProperty(result, name, {
      value: isObject(value) ? merged(own, value) : value,
      enumerable: true,
      configurable: true,
      writable: true
    });
  }
  return result;
}
function remove(value, [name, ...rest]) {
  if (name === void 0 || typeof value !== "object" || value === null) return;
  const container = value;
  const names = name === "*" ? Object.keys(container).reverse() : [name];
  for (const each of names) {
    if (!Object.hasOwn(container, each)) continue;
    if (rest.length > 0) remove(container[each], rest);
    else if (Array.isArray(value)) value.splice(Number(each), 1);
    else delete container[each];
  }
}

// src/faults/apply-fault.ts
var injected = (fault) => ({ reason: `Injected fault ${fault}`, fault });
function underFaults(scene) {
  const fault = faultFor(scene.world, scene.surface, scene.request);
  return fault && ((work) => responseUnder(fault, scene, work));
}
function faultFor(world, surface, request) {
  if (surface.name !== "api" && surface.name !== "oauth" || world.store.faults.all.size === 0) return void 0;
  const { method, path } = request;
  const form = surface.name === "oauth" && method === "POST" ? new URLSearchParams(request.body.toString()) : void 0;
  const { app, organization } = surface.identify?.(world, request) ?? {};
  const grant_type = form?.get("grant_type") ?? void 0;
  return fireFault(world, { surface: surface.name, method, path, app, organization, grant_type });
}
async function responseUnder(fault, scene, work) {
  const { world, request } = scene;
  const done = fault.phase === "after" ? await work() : void 0;
  const marked = (response) => ({
    ...response,
    notes: { ...injected(fault.id), ...response.notes, fault: fault.id }
  });
  if (typeof fault.effect === "string") {
    return marked(refuseWith(refusalFor(fault.effect, scene), scene));
  }
  const { delay = 0, jitter = 0, hold, connection, merge, omit, ...replacing } = fault.effect;
  const time = Math.min(delay + (jitter > 0 ? world.random.fraction() * jitter : 0), LONGEST_REAL);
  if (time > 0) await wait(time, void 0, { signal: request.signal }).catch(() => void 0);
  if (hold !== void 0) await world.holds.wait(fault.id, hold, request.signal);
  const replaces = replacing.status !== void 0 || replacing.body !== void 0;
  if (!replaces && connection !== "reset" && connection !== "hang" && connection !== "empty") {
    const response = done ?? await work();
    return marked({
      ...response,
      body: altered(response.body, { merge, omit }),
      headers: { ...response.headers, ...lowerCase(replacing.headers) },
      broken: connection
    });
  }
  return marked({ ...replacement(replacing, done, scene), broken: connection });
}
function replacement({ status, headers, body }, done, scene) {
  const effective = status ?? done?.status ?? 200;
  const extra = lowerCase(headers);
  if (body === "malformed_json") {
    const type = { "content-type": "application/json; charset=utf-8" };
    return { status: effective, headers: { ...type, ...extra }, body: brokenOff(scene.surface) };
  }
  if (body === "html") {
    const title = `${effective} ${STATUS_CODES[effective] ?? ""}`.trim();
    const html = `<!doctype html>
<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>
`;
    return { status: effective, headers: { "content-type": "text/html; charset=utf-8", ...extra }, body: html };
  }
  if (body !== void 0) {
    const isText = typeof body === "string";
    const type = isText ? "text/plain; charset=utf-8" : "application/json; charset=utf-8";
    return {
      status: effective,
      headers: { "content-type": type, ...extra },
      body: isText ? body : JSON.stringify(body)
    };
  }
  if (effective < 400) return { status: effective, headers: extra };
  const response = refuseWith(refusalFor(effective, scene), scene);
  return { ...response, headers: { ...response.headers, ...extra } };
}
var refusalFor = (name, scene) => scene.surface.refusalFor?.(name, scene) ?? (typeof name === "number" ? refusalOf(name) : new Refusal("unavailable"));
function refusalOf(status) {
  const known = Object.values(refusals).find((refusal) => refusal.status === status);
  return new Refusal("unavailable", { status, message: known?.message ?? STATUS_CODES[status] ?? "Error" });
}
var brokenOff = ({ name }) => name === "oauth" ? '{"token_type":"Bearer",' : '{"error":null,"payload":{"data":[';
function refuseWith(refusal, { surface, request, world }) {
  const response = surface.refuse(refusal, request, world);
  return { ...response, headers: { ...response.headers, ...refusal.headers } };
}
var lowerCase = (headers = {}) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

export {
  injected,
  underFaults
};
