import {
  bearerOf
} from "./chunk-WWOQV4L2.js";
import {
  Refusal
} from "./chunk-MW7MI5LZ.js";

// src/api/rate-limit.ts
var MINUTE = 6e4;
var MOST_WINDOWS = 1e4;
var createRateLimiter = () => ({ windows: /* @__PURE__ */ new Map() });
function countRequest(world, request) {
  const limit = world.settings.rate_limit;
  if (limit === void 0) return {};
  const { windows } = world.rateLimiter;
  const now = world.clock.now();
  const credential = bearerOf(request.headers) ?? "";
  let window = windows.get(credential);
  if (!window || window.endsAt <= now) {
    for (const [other, { endsAt }] of windows) if (endsAt <= now) windows.delete(other);
    const [oldest] = windows.keys();
    if (windows.size >= MOST_WINDOWS && oldest !== void 0) windows.delete(oldest);
    window = { endsAt: now + MINUTE, count: 0 };
    windows.set(credential, window);
  }
  window.count++;
  const headers = rateLimitHeaders(limit, Math.max(limit - window.count, 0));
  if (window.count > limit) {
    const retryAfter = String(Math.ceil((window.endsAt - now) / 1e3));
    const reason = `The credential made ${window.count} requests in its minute; rate_limit is ${limit}`;
    throw new Refusal("rate_limited", { headers: { ...headers, "retry-after": retryAfter }, reason });
  }
  return headers;
}
var rateLimitHeaders = (limit, remaining) => ({
  "x-ratelimit-limit": String(limit),
  "x-ratelimit-remaining": String(remaining)
});

export {
  createRateLimiter,
  countRequest,
  rateLimitHeaders
};
