import {
  createBody
} from "./chunk-PNDUOHYL.js";
import {
  appDocument,
  elementDocument,
  fixtureDocument,
  manifestSchema
} from "./chunk-XHPPBQWA.js";
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
import "./chunk-V3RODA4B.js";
import "./chunk-KMQ55J3A.js";
import "./chunk-DASGZFY7.js";
import "./chunk-XSN2UCAL.js";
import "./chunk-ZVMA5LMS.js";
import "./chunk-HTXLYCUF.js";
import "./chunk-C4ZTUEZ6.js";
import "./chunk-KOQDFLCF.js";
import {
  elementTypeNames
} from "./chunk-JD7TKZ54.js";
import "./chunk-PNJ445SQ.js";
import "./chunk-BBYTGKKY.js";

// src/cli/fixture-schema.ts
import * as z from "zod";
var elements = z.toJSONSchema(createBody, { io: "input" });
var { $schema: _, ...manifest } = z.toJSONSchema(manifestSchema([]), { io: "input" });
var variants = Object.values(elements.$defs ?? {}).flatMap(({ properties: properties2 }) => {
  const type = properties2?.type?.const;
  return type === void 0 ? [] : [{ type, properties: properties2 }];
});
function describeElement(schema) {
  const { name, content, metadata } = variants[0]?.properties ?? {};
  const type = { type: "string", enum: [...elementTypeNames] };
  schema.properties = { ...schema.properties, type, name, content, metadata };
  schema.allOf = variants.map(({ type: type2, properties: { properties: properties2 } }) => ({
    if: { properties: { type: { const: type2 } } },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: { properties: { properties: properties2 } }
  }));
}
function describeApp(schema) {
  const own = schema.properties;
  own.manifest = { $ref: "#/$defs/Manifest" };
  own.versions = { type: "array", minItems: 1, items: { $ref: "#/$defs/Manifest" } };
}
var document = z.toJSONSchema(fixtureDocument, {
  io: "input",
  override({ zodSchema, jsonSchema }) {
    if (zodSchema === elementDocument) describeElement(jsonSchema);
    if (zodSchema === appDocument) describeApp(jsonSchema);
  }
});
var properties = Object.entries(elements.$defs ?? {}).filter(([name]) => name.endsWith("Properties"));
document.$defs = { ...document.$defs, ...Object.fromEntries(properties), Manifest: manifest };
process.stdout.write(`${JSON.stringify(document, null, 2)}
`);
