import {
  hashOf,
  secretsOf,
  seedOf
} from "./chunk-KI6BLFDI.js";
import "./chunk-Y6TB75EN.js";
import "./chunk-NC6EVZ2H.js";
import "./chunk-H6YDQLWR.js";
import "./chunk-7PX5YLRV.js";
import "./chunk-G374MYAP.js";
import "./chunk-KALKX2PA.js";
import "./chunk-TOMHTIL4.js";
import "./chunk-ST73ZHQR.js";
import "./chunk-ZZ6WPZCE.js";
import "./chunk-NZRV57D6.js";
import "./chunk-D6FFRSSK.js";
import "./chunk-RQ77OIZO.js";
import "./chunk-7DLAHFNB.js";
import "./chunk-ALWSJWTG.js";
import "./chunk-CHJV2OFA.js";
import "./chunk-BKWT3EPO.js";
import "./chunk-5SAHQNTQ.js";
import "./chunk-L7Q3M54I.js";
import "./chunk-WFFIJ2TV.js";
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
import "./chunk-6VLNLZIY.js";
import "./chunk-JD7TKZ54.js";
import "./chunk-OLY32F6C.js";
import "./chunk-7L5WAEY2.js";
import "./chunk-Z4UT4XDO.js";
import "./chunk-PA6CYUBJ.js";
import "./chunk-ELCYYWVK.js";
export {
  hashOf,
  secretsOf,
  seedOf
};
