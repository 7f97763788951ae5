import {
  route
} from "./chunk-6ONNPK7B.js";

// src/admin/console-files.ts
import { readdirSync, readFileSync } from "node:fs";
var POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "img-src 'self' data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'"
].join("; ");
var common = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer"
};
var mediaTypes = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8"
};
var files;
function consoleFiles() {
  if (files) return files;
  const folder = new URL("./console/", import.meta.url);
  const names = readdirSync(folder).filter((name) => name !== "index.html");
  files = {
    page: readFileSync(new URL("index.html", folder), "utf8"),
    assets: new Map(names.map((name) => [name, readFileSync(new URL(name, folder))]))
  };
  return files;
}
function consoleReply(path) {
  const { page, assets } = consoleFiles();
  const name = path.slice(path.lastIndexOf("/") + 1);
  const asset = assets.get(name);
  if (asset) {
    const type = mediaTypes[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
    const headers2 = { ...common, "content-type": type, "cache-control": "public, max-age=31536000, immutable" };
    return { status: 200, headers: headers2, body: asset };
  }
  const headers = { ...common, "content-type": mediaTypes.html ?? "", "cache-control": "no-cache" };
  return { status: 200, headers, body: page.replaceAll("{{console}}", wayToConsole(path)) };
}
function wayToConsole(path) {
  const depth = path.split("/").length - "/_console".split("/").length;
  return depth === 0 ? "./_console" : `${"../".repeat(depth)}_console`;
}

// src/admin/console.routes.ts
var source = "console: Serving";
var summary = "The console: a page in the browser";
var consoleRoutes = [
  route("GET", "/_console", { id: "console", summary, source, open: true }, (_world, { path }) => consoleReply(path)),
  route(
    "GET",
    "/_console/",
    { id: "consolePage", summary, source, open: true },
    (_world, { path }) => consoleReply(path)
  ),
  route(
    "GET",
    "/_console/*below",
    { id: "consoleFile", summary, source, open: true },
    (_world, { path }) => consoleReply(path)
  )
];
export {
  consoleRoutes
};
