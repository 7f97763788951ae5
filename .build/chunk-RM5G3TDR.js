import {
  Refusal
} from "./chunk-MW7MI5LZ.js";

// src/http/trusted-host.ts
import { isIP } from "node:net";
function admitHost(world, { headers: { host = "" } }) {
  if (isTrustedHost(world, host)) return;
  throw new Refusal("forbidden", {
    message: `This is not served to the host ${host || "(none)"}: add it to trust_hosts if it is yours`
  });
}
function isTrustedHost(world, host) {
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  const { app_url, browser_url } = world.addresses;
  return isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 || !hostname.includes(".") || hostname.endsWith(".localhost") || hostname === "host.docker.internal" || [app_url, browser_url].some((url) => new URL(url).hostname === hostname) || world.settings.trust_hosts.includes(hostname);
}

export {
  admitHost
};
