import {
  problem
} from "./chunk-3PINOHQ4.js";
import "./chunk-MW7MI5LZ.js";
import "./chunk-OEGBZOM3.js";

// src/webhooks/inbox.surface.ts
var TEN_MEGABYTES = 10 * 1024 * 1024;
var inboxSurface = (routes) => ({
  name: "inbox",
  routes,
  bodyLimit: () => TEN_MEGABYTES,
  refuse: problem
});
export {
  inboxSurface
};
