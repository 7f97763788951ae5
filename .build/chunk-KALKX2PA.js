import {
  NEW_ID,
  check,
  elementTypes
} from "./chunk-ST73ZHQR.js";
import {
  didYouMean
} from "./chunk-OEGBZOM3.js";
import {
  isObject
} from "./chunk-ELCYYWVK.js";

// src/elements/properties.ts
import { isDeepStrictEqual } from "node:util";
var unsetProperties = (type) => Object.fromEntries(Object.entries(elementTypes[type].properties).map(([name, { unset }]) => [name, unset]));
function presentProperties(world, { type, properties }) {
  const shown = {};
  for (const [name, { unset, present }] of Object.entries(elementTypes[type].properties)) {
    const stored = Object.hasOwn(properties, name) ? properties[name] : unset;
    shown[name] = present ? present(world, stored) : stored;
  }
  return shown;
}
function readProperties(type, given, stored, shown = {}) {
  const { properties } = elementTypes[type];
  const update = { changed: {}, result: { ...stored }, issues: [] };
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(properties, name)) {
      const hint = didYouMean(name, Object.keys(properties));
      update.issues.push({ path: name, message: `is not a property of this element type${hint}` });
      continue;
    }
    if (Object.hasOwn(shown, name) && isDeepStrictEqual(value, shown[name])) continue;
    const { sent, unset } = properties[name];
    const read = value === null ? { success: true, data: unset } : check(sent, value, [name]);
    if (!read.success) {
      update.changed[name] = value;
      delete update.result[name];
      update.issues = update.issues.concat(read.issues);
    } else if (!isDeepStrictEqual(read.data, stored[name])) {
      update.changed[name] = value;
      update.result[name] = read.data;
    }
  }
  return update;
}
function withIds(value, random) {
  if (value === NEW_ID) return random.id();
  if (Array.isArray(value)) return value.map((item) => withIds(item, random));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withIds(inner, random)]));
}

export {
  unsetProperties,
  presentProperties,
  readProperties,
  withIds
};
