import {
  OAuthRefusal,
  clientRefusal
} from "./chunk-7THUOBFM.js";
import {
  isSameSecret
} from "./chunk-TIIU4ZRY.js";

// src/oauth/client-authentication.ts
function authenticateClient(world, request, form) {
  const { client_id, secret } = credentialsOf(request, form);
  if (client_id === void 0)
    throw clientRefusal("No client_id was sent, neither in the Authorization header nor in the body");
  const app = world.store.apps.by("client_id", client_id);
  if (!app) throw clientRefusal(`There is no app with the client_id ${client_id}`);
  if (secret === void 0) throw clientRefusal("No client_secret was sent");
  if (!isSameSecret(secret, app.client_secret)) throw clientRefusal(`The client_secret is not the one of ${client_id}`);
  return app;
}
function credentialsOf({ headers: { authorization } }, form) {
  const posted = { client_id: form.get("client_id"), secret: form.get("client_secret") };
  if (authorization === void 0) return posted;
  if (posted.secret !== void 0) {
    throw new OAuthRefusal(
      "invalid_request",
      "Send the client credentials in the Authorization header or in the body, not in both"
    );
  }
  const basic = readBasic(authorization);
  if (!basic) throw clientRefusal('The Authorization header is not "Basic <base64 of client_id:client_secret>"');
  if (posted.client_id !== void 0 && posted.client_id !== basic.client_id) {
    throw new OAuthRefusal("invalid_request", "The client_id in the body is not the one in the Authorization header");
  }
  return basic;
}
function readBasic(authorization) {
  const encoded = /^basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(authorization)?.[1];
  if (encoded === void 0) return void 0;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon < 0) return void 0;
  try {
    const [client_id, secret] = [text.slice(0, colon), text.slice(colon + 1)].map(
      (half) => decodeURIComponent(half.replaceAll("+", " "))
    );
    return { client_id: client_id || void 0, secret: secret || void 0 };
  } catch {
    return void 0;
  }
}
function claimedApp(world, request, form) {
  const { authorization } = request.headers;
  const client_id = authorization && readBasic(authorization)?.client_id || form.get("client_id");
  return client_id ? world.store.apps.by("client_id", client_id) : void 0;
}

export {
  authenticateClient,
  claimedApp
};
