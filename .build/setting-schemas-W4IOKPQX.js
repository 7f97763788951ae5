import {
  settingsSchema
} from "./chunk-6VLNLZIY.js";
import "./chunk-JD7TKZ54.js";
import "./chunk-OLY32F6C.js";
import "./chunk-7L5WAEY2.js";
export {
  settingsSchema
};
