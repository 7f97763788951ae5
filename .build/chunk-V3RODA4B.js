// src/apps/manifest-urls.ts
var LOOPBACK = /* @__PURE__ */ new Set(["localhost", "127.0.0.1", "[::1]"]);
var writtenHost = (text) => /^https?:\/\/(?:[^@/?#\\]*@)?(\[[^\]]*\]|[^:/?#\\]*)/i.exec(text)?.[1]?.toLowerCase() ?? "";
function urlFault(text, { alsoPlain = [], fragment = false }) {
  if (!URL.canParse(text) || /\s/.test(text)) return "must be an absolute URL";
  const { protocol } = new URL(text);
  if (!/^https?:\/\//i.test(text)) return "must be an https URL";
  if (!fragment && text.includes("#")) return "must not have a fragment";
  if (protocol === "https:") return void 0;
  const host = writtenHost(text);
  if (LOOPBACK.has(host) || alsoPlain.includes(host)) return void 0;
  return "must be an https URL; http is allowed for localhost, 127.0.0.1 and [::1] only";
}

// src/apps/permission-names.ts
var permissionNames = ({ permissions }) => permissions.map((entry) => typeof entry === "string" ? entry : entry.permission);

export {
  urlFault,
  permissionNames
};
