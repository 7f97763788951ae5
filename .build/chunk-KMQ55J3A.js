// src/authentication/scopes.ts
var scopes = {
  "courses:read": { grant: "install", grants: "Read courses" },
  "modules:read": { grant: "install", grants: "Read modules" },
  "elements:read": { grant: "install", grants: "Read elements" },
  "members:read": { grant: "install", grants: "Read members" },
  "activities:read": { grant: "install", grants: "Read activities" },
  openid: { grant: "authorize", grants: "Know who you are" },
  profile: { grant: "authorize", grants: "See your name" },
  email: { grant: "authorize", grants: "See your email address" }
};
var scopesOf = (grant) => Object.keys(scopes).filter((name) => scopes[name].grant === grant);
var isScope = (permission) => Object.hasOwn(scopes, permission);
var scopesFor = (grant, permissions) => [
  ...new Set(permissions.filter(isScope).filter((permission) => scopes[permission].grant === grant))
];
function refusedFor(token, scope) {
  if (token.grant === "authorize") return "A user token was sent; user tokens cannot reach the public API";
  if (scope === null) return "No install token may do this; an API key may";
  if (token.scope.split(" ").includes(scope)) return void 0;
  return `The token lacks the scope ${scope}; it has: ${token.scope || "none"}`;
}

export {
  scopes,
  scopesOf,
  scopesFor,
  refusedFor
};
