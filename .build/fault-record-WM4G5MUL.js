import {
  faultRecord
} from "./chunk-ALWSJWTG.js";
import "./chunk-PA6CYUBJ.js";
import "./chunk-ELCYYWVK.js";
export {
  faultRecord
};
