import {
  permissionNames,
  urlFault
} from "./chunk-V3RODA4B.js";
import {
  scopesFor
} from "./chunk-KMQ55J3A.js";

// src/apps/manifest.ts
import compare from "semver/functions/compare.js";
var manifestScopes = (manifest, grant) => scopesFor(grant, permissionNames(manifest));
var manifestIn = (version) => version.manifest;
var newestOf = (versions) => versions.reduce(
  (newest, each) => newest && compare(newest.version, each.version) > 0 ? newest : each,
  void 0
);
var newestManifest = (app) => manifestIn(newestOf(app.versions));
function manifestOf(app, version) {
  const found = app.versions.find((candidate) => candidate.version === version);
  return found && manifestIn(found);
}
function installedManifest(world, installation) {
  const app = world.store.apps.get(installation.app);
  return app && manifestOf(app, installation.version);
}
function manifestWarnings(manifest) {
  const { oauth, post_install_action } = manifest;
  const redirects = (oauth?.authorize?.redirect_uris ?? []).map((uri, index) => [
    `oauth.authorize.redirect_uris.${index}`,
    uri
  ]);
  if (post_install_action) redirects.push(["post_install_action.url", post_install_action.url]);
  return redirects.filter(([, uri]) => urlFault(uri, { fragment: true }) !== void 0).map(([path]) => ({
    path,
    message: "the platform refuses plain http here: only loopback hosts may do without https"
  }));
}
var findApp = (world, idOrClientId) => world.store.apps.get(idOrClientId) ?? world.store.apps.by("client_id", idOrClientId);

export {
  manifestScopes,
  newestOf,
  newestManifest,
  manifestOf,
  installedManifest,
  manifestWarnings,
  findApp
};
