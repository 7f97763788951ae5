import {
  admitHost
} from "./chunk-RM5G3TDR.js";
import {
  isSameSecret
} from "./chunk-TIIU4ZRY.js";
import {
  problem
} from "./chunk-3PINOHQ4.js";
import {
  bearerOf
} from "./chunk-WWOQV4L2.js";
import {
  Refusal
} from "./chunk-MW7MI5LZ.js";
import "./chunk-OEGBZOM3.js";

// src/admin/access.ts
function admitToAdmin(world, request) {
  admitHost(world, request);
  const { origin, host = "" } = request.headers;
  const { base_url, app_url, browser_url } = world.addresses;
  const own = [base_url, app_url, browser_url, `${new URL(base_url).protocol}//${host}`];
  if (origin !== void 0 && !own.includes(origin)) {
    throw new Refusal("forbidden", { message: `The control API is not served to pages of another origin (${origin})` });
  }
  const { admin_token } = world.settings;
  if (admin_token !== void 0 && !isSameSecret(bearerOf(request.headers) ?? "", admin_token)) {
    throw new Refusal("unauthorized", {
      message: "The control API needs Authorization: Bearer <admin_token>",
      headers: { "www-authenticate": "Bearer" }
    });
  }
  return {};
}

// src/admin/admin.surface.ts
var TEN_MEGABYTES = 10 * 1024 * 1024;
var HALF_A_GIGABYTE = 512 * 1024 * 1024;
var isBelow = (path, folder) => path === folder || path.startsWith(`${folder}/`);
var isDocument = (path) => path === "/_admin/state" || path === "/_admin/fixtures";
var adminSurface = (routes) => ({
  name: "admin",
  routes,
  bodyLimit: (path) => isDocument(path) ? HALF_A_GIGABYTE : TEN_MEGABYTES,
  admit: (world, request) => {
    if (!isBelow(request.path, "/_console")) return admitToAdmin(world, request);
    admitHost(world, request);
    return {};
  },
  refuse: problem
});
export {
  adminSurface
};
