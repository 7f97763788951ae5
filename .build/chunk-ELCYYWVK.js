// src/schema/is-object.ts
var isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

export {
  isObject
};
