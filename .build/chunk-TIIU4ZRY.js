// src/authentication/same-secret.ts
import { createHash, timingSafeEqual } from "node:crypto";
function isSameSecret(given, secret) {
  const digest = (text) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}

export {
  isSameSecret
};
