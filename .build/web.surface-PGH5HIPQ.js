import {
  errorPage
} from "./chunk-HNZIXDIK.js";
import {
  admitHost
} from "./chunk-RM5G3TDR.js";
import {
  signedIn
} from "./chunk-XGY7QMYP.js";
import "./chunk-UT6PW3NW.js";
import {
  findApp
} from "./chunk-JFX54X37.js";
import "./chunk-BZLA7KRH.js";
import "./chunk-V3RODA4B.js";
import "./chunk-KMQ55J3A.js";
import "./chunk-MW7MI5LZ.js";
import "./chunk-OEGBZOM3.js";

// src/web-app/web.surface.ts
var SIXTY_FOUR_KILOBYTES = 64 * 1024;
var webSurface = (routes) => ({
  name: "web",
  routes,
  bodyLimit: () => SIXTY_FOUR_KILOBYTES,
  admit(world, request) {
    admitHost(world, request);
    return {};
  },
  refuse: (refusal, request, world) => errorPage(refusal, request, signedIn(world, request)?.user),
  identify(world, { headers, params, query }) {
    const user = signedIn(world, { headers })?.user.id;
    const app = findApp(world, params.app ?? query.get("client_id") ?? "")?.id;
    const organization = query.get("organization");
    return {
      ...user !== void 0 && { user },
      ...app !== void 0 && { app },
      ...organization && { organization }
    };
  }
});
export {
  webSurface
};
