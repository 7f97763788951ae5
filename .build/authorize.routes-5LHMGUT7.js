import {
  authorize,
  ignoredIn,
  presentOutcome
} from "./chunk-A533VAIM.js";
import {
  errorPage
} from "./chunk-HNZIXDIK.js";
import {
  oauthRefusalFor
} from "./chunk-SY4DTVSC.js";
import "./chunk-3V66C4ZU.js";
import "./chunk-7THUOBFM.js";
import {
  admitHost
} from "./chunk-RM5G3TDR.js";
import {
  signedIn
} from "./chunk-XGY7QMYP.js";
import {
  route
} from "./chunk-6ONNPK7B.js";
import {
  underFaults
} from "./chunk-5YRG7JTR.js";
import "./chunk-UT6PW3NW.js";
import "./chunk-OEKPATS5.js";
import "./chunk-H2GNJO72.js";
import "./chunk-7PX5YLRV.js";
import "./chunk-D4TRWNWV.js";
import "./chunk-JFX54X37.js";
import "./chunk-SQXZWWAL.js";
import "./chunk-BZLA7KRH.js";
import "./chunk-V3RODA4B.js";
import "./chunk-DASGZFY7.js";
import "./chunk-KMQ55J3A.js";
import "./chunk-MW7MI5LZ.js";
import "./chunk-OEGBZOM3.js";
import "./chunk-7L5WAEY2.js";
import "./chunk-ELCYYWVK.js";

// src/web-app/authorize.routes.ts
var AUTHORIZE_PATH = "/oauth/authorize";
var authorizeRoutes = [
  /** spec: §4.8 */
  route(
    "GET",
    AUTHORIZE_PATH,
    { id: "authorize", summary: "Sign in to an app, silently or asked", source: "spec: \xA74.8", open: true },
    (world, request) => {
      const session = signedIn(world, request);
      const response = presentOutcome(world, request, session, authorize(world, request, session?.user));
      const { reason } = response.notes ?? {};
      const warnings = ignoredIn(request.query);
      const explained = reason?.startsWith("login_required") && !session ? reason + framedWithout(request) : reason;
      return { ...response, notes: { ...response.notes, warnings, ...explained && { reason: explained } } };
    }
  )
];
var framedWithout = ({ headers }) => headers["sec-fetch-site"] === "cross-site" && /^i?frame$/.test(String(headers["sec-fetch-dest"])) ? ". The request came from a frame of another site, and browsers send no SameSite=Lax cookie there: redirect the whole page instead" : "";
var authorizeSurface = (routes) => ({
  name: "oauth",
  routes,
  bodyLimit: () => 0,
  admit(world, request) {
    admitHost(world, request);
    return {};
  },
  refuse: (refusal, request, world) => errorPage(refusal, request, signedIn(world, request)?.user),
  identify: identifyVisitor,
  intercept: underFaults,
  refusalFor: oauthRefusalFor
});
function identifyVisitor(world, request) {
  const app = world.store.apps.by("client_id", request.query.get("client_id") ?? "")?.id;
  const organization = request.query.get("organization");
  const user = signedIn(world, request)?.user.id;
  return {
    ...app !== void 0 && { app },
    ...organization && { organization },
    ...user !== void 0 && { user }
  };
}
export {
  authorizeRoutes,
  authorizeSurface
};
