// src/webhooks/sign.ts
import { createHmac } from "node:crypto";
var sign = (body, signingSecret) => createHmac("sha256", signingSecret).update(body).digest("hex");
var headerNames = (prefix) => ({
  signature: `${prefix}-Signature`,
  idempotencyKey: `${prefix}-Idempotency-Key`
});

export {
  sign,
  headerNames
};
