import {
  installationRecord,
  installationStates
} from "./chunk-Z4UT4XDO.js";
import "./chunk-PA6CYUBJ.js";
import "./chunk-ELCYYWVK.js";
export {
  installationRecord,
  installationStates
};
