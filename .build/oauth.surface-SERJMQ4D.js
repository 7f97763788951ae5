import {
  oauthRefusalFor
} from "./chunk-SY4DTVSC.js";
import {
  claimedApp
} from "./chunk-UYTIRXPW.js";
import {
  refuse
} from "./chunk-7THUOBFM.js";
import "./chunk-TIIU4ZRY.js";
import {
  underFaults
} from "./chunk-5YRG7JTR.js";
import "./chunk-H2GNJO72.js";
import "./chunk-MW7MI5LZ.js";
import "./chunk-OEGBZOM3.js";
import "./chunk-7L5WAEY2.js";
import "./chunk-ELCYYWVK.js";

// src/oauth/oauth.surface.ts
var SIXTY_FOUR_KILOBYTES = 64 * 1024;
var oauthSurface = (routes) => ({
  name: "oauth",
  routes,
  bodyLimit: () => SIXTY_FOUR_KILOBYTES,
  refuse,
  identify: identifyClient,
  intercept: underFaults,
  refusalFor: oauthRefusalFor
});
function identifyClient(world, request) {
  const form = new URLSearchParams(request.body.toString("utf8"));
  const app = claimedApp(world, request, form)?.id;
  const grant = world.store.tokens.by("secret", form.get("refresh_token") ?? "") ?? world.store.codes.by("secret", form.get("code") ?? "");
  return {
    ...app !== void 0 && { app },
    ...grant && { organization: grant.organization },
    ...grant?.user && { user: grant.user }
  };
}
export {
  oauthSurface
};
