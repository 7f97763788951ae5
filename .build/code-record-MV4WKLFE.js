import {
  codeRecord
} from "./chunk-CHJV2OFA.js";
import "./chunk-PA6CYUBJ.js";
import "./chunk-ELCYYWVK.js";
export {
  codeRecord
};
