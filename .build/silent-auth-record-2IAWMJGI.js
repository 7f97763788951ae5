import {
  silentAuthRecord
} from "./chunk-5SAHQNTQ.js";
import "./chunk-PA6CYUBJ.js";
import "./chunk-ELCYYWVK.js";
export {
  silentAuthRecord
};
