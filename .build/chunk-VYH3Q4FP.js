import {
  problem
} from "./chunk-3PINOHQ4.js";
import {
  route
} from "./chunk-6ONNPK7B.js";
import {
  entryOf
} from "./chunk-YPZAJWLO.js";

// src/admin/health.surface.ts
var health = () => ({ status: "ok" });
var { path, summary, source } = entryOf("health");
var healthSurface = {
  name: "admin",
  routes: [route("GET", path, { id: "health", summary, source, open: true }, () => ({ status: 200, body: health() }))],
  bodyLimit: () => 0,
  refuse: problem
};

export {
  health,
  healthSurface
};
