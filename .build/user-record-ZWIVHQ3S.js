import {
  userRecord
} from "./chunk-QF2FVXPZ.js";
import "./chunk-TOMHTIL4.js";
import "./chunk-RQ77OIZO.js";
import "./chunk-PA6CYUBJ.js";
import "./chunk-ELCYYWVK.js";
import "./chunk-DASGZFY7.js";
export {
  userRecord
};
