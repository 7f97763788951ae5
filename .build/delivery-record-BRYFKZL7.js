import {
  deliveryRecord,
  deliveryStates
} from "./chunk-WFFIJ2TV.js";
import "./chunk-PA6CYUBJ.js";
import "./chunk-ELCYYWVK.js";
export {
  deliveryRecord,
  deliveryStates
};
