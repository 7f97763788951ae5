import {
  activityRecord
} from "./chunk-LCG4G6BM.js";
import "./chunk-ZZ6WPZCE.js";
import "./chunk-RQ77OIZO.js";
import "./chunk-PA6CYUBJ.js";
import "./chunk-ELCYYWVK.js";
export {
  activityRecord
};
