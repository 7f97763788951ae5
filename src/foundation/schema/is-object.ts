/** Returns true for a JSON object: not null, not an array. Its keys are data, so look them up with `Object.hasOwn`. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
