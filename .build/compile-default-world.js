import {
  hashOf,
  secretsOf
} from "./chunk-7DRMFGVA.js";
import "./chunk-EYCNM25K.js";
import {
  compileFixtures
} from "./chunk-ESTGG2N5.js";
import "./chunk-NC6EVZ2H.js";
import {
  launch
} from "./chunk-OLAGROFO.js";
import "./chunk-C5ZTJVRX.js";
import "./chunk-FQ25I7DH.js";
import "./chunk-XLWPFFOG.js";
import "./chunk-QGXP4U22.js";
import "./chunk-OJGQKXV6.js";
import "./chunk-LYQB74E7.js";
import "./chunk-E7TUP2GA.js";
import "./chunk-OEKPATS5.js";
import "./chunk-FVCNMPM3.js";
import "./chunk-JFUBFLSR.js";
import "./chunk-WWOQV4L2.js";
import "./chunk-KXV3H5UX.js";
import "./chunk-ICNHICG7.js";
import "./chunk-IGN2O7BR.js";
import "./chunk-UOQ57ESE.js";
import "./chunk-HRRBJK6F.js";
import "./chunk-7PX5YLRV.js";
import "./chunk-XHPPBQWA.js";
import "./chunk-GUPMNXDI.js";
import "./chunk-XHZ66W4L.js";
import "./chunk-Q5LVXSQD.js";
import "./chunk-D6FFRSSK.js";
import "./chunk-TOMHTIL4.js";
import "./chunk-ZZ6WPZCE.js";
import "./chunk-NZRV57D6.js";
import "./chunk-RQ77OIZO.js";
import "./chunk-Z4UT4XDO.js";
import "./chunk-7DLAHFNB.js";
import "./chunk-ALWSJWTG.js";
import "./chunk-CHJV2OFA.js";
import "./chunk-BKWT3EPO.js";
import "./chunk-5SAHQNTQ.js";
import "./chunk-L7Q3M54I.js";
import "./chunk-WFFIJ2TV.js";
import "./chunk-PA6CYUBJ.js";
import "./chunk-ELCYYWVK.js";
import {
  MOMENT
} from "./chunk-NL3VLXSV.js";
import "./chunk-KX4ROKCU.js";
import "./chunk-S2HCK6DH.js";
import "./chunk-25C4SSA6.js";
import "./chunk-SQXZWWAL.js";
import "./chunk-BZLA7KRH.js";
import "./chunk-V3RODA4B.js";
import "./chunk-KMQ55J3A.js";
import "./chunk-DASGZFY7.js";
import "./chunk-XSN2UCAL.js";
import "./chunk-ZVMA5LMS.js";
import "./chunk-HTXLYCUF.js";
import "./chunk-C4ZTUEZ6.js";
import "./chunk-KOQDFLCF.js";
import "./chunk-JD7TKZ54.js";
import "./chunk-PNJ445SQ.js";
import "./chunk-BBYTGKKY.js";

// src/cli/compile-default-world.ts
import { readFileSync } from "node:fs";
var document = JSON.parse(readFileSync("fixtures/default.json", "utf8"));
if (document.settings ?? document.clock) throw new Error("fixtures/default.json must have neither settings nor a clock");
var sources = [{ document }];
var { world, close } = await launch({ fixtures: {}, now: MOMENT, seed: "none is drawn", store: "memory" });
var { draws } = world.store.counters();
var { drafts, installations } = world.store.change((tx) => compileFixtures(world, tx, sources, false));
if (world.store.counters().draws !== draws) {
  throw new Error(
    "fixtures/default.json must give every id and secret: what is generated is to be another one each time"
  );
}
var compiled = {
  hash: hashOf(sources),
  secrets: secretsOf(sources),
  drafts: drafts.map(({ collection, draft }) => ({ collection, draft })),
  installations
};
process.stdout.write(JSON.stringify(compiled));
await close();
