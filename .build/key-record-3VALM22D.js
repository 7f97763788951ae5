import {
  keyRecord
} from "./chunk-BKWT3EPO.js";
import "./chunk-PA6CYUBJ.js";
import "./chunk-ELCYYWVK.js";
export {
  keyRecord
};
