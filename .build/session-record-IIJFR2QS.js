import {
  sessionRecord
} from "./chunk-L7Q3M54I.js";
import "./chunk-PA6CYUBJ.js";
import "./chunk-ELCYYWVK.js";
export {
  sessionRecord
};
