import {
  MOMENT,
  defaultWorld
} from "./chunk-TDBNU74T.js";
import "./chunk-3H6G6YER.js";
import "./chunk-D4TRWNWV.js";
import "./chunk-JFX54X37.js";
import "./chunk-SQXZWWAL.js";
import "./chunk-BZLA7KRH.js";
import "./chunk-V3RODA4B.js";
import "./chunk-DASGZFY7.js";
import "./chunk-KMQ55J3A.js";
import "./chunk-MW7MI5LZ.js";
import "./chunk-OEGBZOM3.js";
export {
  MOMENT,
  defaultWorld
};
