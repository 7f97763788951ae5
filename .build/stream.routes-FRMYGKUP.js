import {
  streamRoutes
} from "./chunk-RCGSGGZX.js";
import "./chunk-KIUJWS5H.js";
import "./chunk-5H4UC7ZU.js";
import "./chunk-6ONNPK7B.js";
import "./chunk-ZTFQIRJI.js";
import "./chunk-MW7MI5LZ.js";
import "./chunk-OEGBZOM3.js";
import "./chunk-OLY32F6C.js";
import "./chunk-7L5WAEY2.js";
export {
  streamRoutes
};
