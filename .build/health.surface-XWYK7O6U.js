import {
  health,
  healthSurface
} from "./chunk-VYH3Q4FP.js";
import "./chunk-3PINOHQ4.js";
import "./chunk-6ONNPK7B.js";
import "./chunk-YPZAJWLO.js";
import "./chunk-MW7MI5LZ.js";
import "./chunk-OEGBZOM3.js";
export {
  health,
  healthSurface
};
