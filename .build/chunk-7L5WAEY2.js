// src/schema/duration.ts
var units = { ms: 1, s: 1e3, m: 6e4, h: 36e5, d: 864e5 };
var durationPattern = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;
function parseDuration(text) {
  const [, amount, unit] = durationPattern.exec(text) ?? [];
  return Math.round(Number(amount) * units[unit]);
}
var LONGEST_REAL = 2 ** 31 - 1;

export {
  units,
  durationPattern,
  parseDuration,
  LONGEST_REAL
};
