import {
  tokenRecord
} from "./chunk-7DLAHFNB.js";
import "./chunk-PA6CYUBJ.js";
import "./chunk-ELCYYWVK.js";
export {
  tokenRecord
};
