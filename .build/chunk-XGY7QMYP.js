import {
  trimEnded
} from "./chunk-BZLA7KRH.js";

// src/web-app/sessions.ts
function cookieName({ addresses: { base_url, browser_url } }) {
  const ports = [base_url, browser_url].map((url) => new URL(url).port).filter(Boolean);
  return ["mockademy_session", ...new Set(ports)].join("_");
}
function cookieOf(world, { headers }) {
  const name = cookieName(world);
  for (const pair of headers.cookie?.split(";") ?? []) {
    const [key, value] = pair.trim().split("=", 2);
    if (key === name && value) return value;
  }
  return void 0;
}
function signedIn(world, request) {
  const { sessions, users } = world.store;
  const secret = cookieOf(world, request);
  const session = secret === void 0 ? sessions.by("ambient", "ambient") : sessions.by("secret", secret);
  const user = session && users.get(session.user);
  return user && { session, user };
}
function startSession(world, user, { ambient = false } = {}) {
  const { clock, random, store } = world;
  return store.change((tx) => {
    if (ambient) endSessions(world, [...store.sessions.in("ambient", "ambient")]);
    const session = {
      id: random.id(),
      sequence: tx.next(),
      created_at: clock.timestamp(),
      secret: random.secret("ses_"),
      csrf: random.secret(""),
      user: user.id,
      ambient
    };
    tx.put("sessions", session);
    trimEnded(world, tx, "sessions");
    return session;
  });
}
function endSessions(world, sessions) {
  world.store.change((tx) => {
    for (const { id } of sessions) tx.remove("sessions", id);
  });
}
var attributes = ({ addresses: { browser_url } }) => `Path=/; HttpOnly; SameSite=Lax${browser_url.startsWith("https:") ? "; Secure" : ""}`;
var cookieHeader = (world, { secret }) => ({
  "set-cookie": `${cookieName(world)}=${secret}; ${attributes(world)}`
});
var forgetCookieHeader = (world) => ({
  "set-cookie": `${cookieName(world)}=; Max-Age=0; ${attributes(world)}`
});

export {
  cookieName,
  signedIn,
  startSession,
  endSessions,
  cookieHeader,
  forgetCookieHeader
};
