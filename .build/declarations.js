import {
  outcomes,
  severities
} from "./chunk-CKEPFB2P.js";
import {
  auditFile
} from "./chunk-C7HRUYVA.js";
import {
  createBody
} from "./chunk-PNDUOHYL.js";
import {
  schemas
} from "./chunk-4TN25EO6.js";
import {
  queryDuration
} from "./chunk-HUBKHXLV.js";
import "./chunk-QF2FVXPZ.js";
import {
  callNames,
  entryOf
} from "./chunk-CUK7IXEG.js";
import {
  lifecycleEvents
} from "./chunk-IGN2O7BR.js";
import "./chunk-UOQ57ESE.js";
import {
  effectsOf,
  faultMatch
} from "./chunk-HRRBJK6F.js";
import "./chunk-7PX5YLRV.js";
import {
  appDocument,
  elementDocument,
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
import {
  scopes
} from "./chunk-KMQ55J3A.js";
import "./chunk-DASGZFY7.js";
import "./chunk-XSN2UCAL.js";
import "./chunk-ZVMA5LMS.js";
import "./chunk-HTXLYCUF.js";
import {
  settingsSchema
} from "./chunk-C4ZTUEZ6.js";
import "./chunk-KOQDFLCF.js";
import "./chunk-JD7TKZ54.js";
import {
  durationInput
} from "./chunk-PNJ445SQ.js";
import "./chunk-BBYTGKKY.js";

// src/cli/declarations.ts
import { readFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";
import * as z from "zod";
var definitions = {};
var quoted = (names) => names.map((name) => `'${name}'`).join(" | ");
var capitalised = (name) => name.charAt(0).toUpperCase() + name.slice(1);
var named = /* @__PURE__ */ new Map([
  [durationInput, "Duration"],
  [queryDuration, "Duration"],
  [schemas.addFault.body, "NewFault"],
  [elementDocument, "FixtureElement"]
]);
function schemaOf(schema, io) {
  const made = z.toJSONSchema(z.object({ schema }), {
    io,
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      const isWhole = zodSchema === schema && schema === elementDocument;
      const type = isWhole ? void 0 : named.get(zodSchema);
      if (type) {
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
        Object.assign(jsonSchema, { tsType: type });
      }
      if (zodSchema === appDocument) {
        Object.assign(jsonSchema.properties ?? {}, {
          manifest: { tsType: "Manifest" },
          versions: { tsType: "Manifest[]" }
        });
      }
    }
  });
  for (const [name, { id: _, ...definition }] of Object.entries(made.$defs ?? {}))
    definitions[name] = definition;
  return made.properties?.schema;
}
function typeOf(name, schema, io) {
  const known = schema.meta()?.id;
  const made = schemaOf(schema, io);
  if (typeof known === "string") return known === "State" ? "FixtureDocument" : known;
  if (made.tsType) return made.tsType;
  definitions[name] = made;
  return name;
}
function parametersOf(name) {
  const { path, fields, bodyOptional } = entryOf(name);
  const { query, body } = schemas[name];
  const names = [...path.matchAll(/:(\w+)/g)].map(([, param]) => `${param}: string`);
  if (fields && body) {
    const { properties = {} } = schemaOf(body, "input");
    const types = fields.map((field) => `${field}${bodyOptional ? "?" : ""}: ${inline(properties[field])}`);
    return [...names, ...types].join(", ");
  }
  const given = query ?? body;
  if (!given) return names.join(", ");
  const type = typeOf(`${capitalised(name)}${query ? "Query" : "Body"}`, given, "input");
  const optional = (query ? query.safeParse({}).success : bodyOptional) ? "?" : "";
  return [...names, `${query ? "query" : "body"}${optional}: ${type}`].join(", ");
}
function inline({ tsType, type, enum: values }) {
  if (tsType) return tsType;
  if (values) return quoted(values);
  if (type === "string") return type;
  throw new Error("A field that a method takes by itself has a type that needs a name");
}
function methodOf(name) {
  const { summary, source, method, path, list } = entryOf(name);
  const parameters = parametersOf(name);
  const answer = typeOf(`${capitalised(name)}Result`, schemas[name].answer, "output");
  return `  /** ${summary}. \`${method} ${path.replace(/:(\w+)/g, "{$1}")}\` (${source}) */
  ${name}(${parameters}): Promise<${answer}${list ? "[]" : ""}>`;
}
function faultTypes() {
  typeOf("FaultMatch", faultMatch, "input");
  const surfaces = Object.keys(effectsOf);
  const effects = surfaces.map((surface) => {
    const { names, parts } = effectsOf[surface];
    const name = `${capitalised(surface).replace("_t", "T")}Effect`;
    const type = typeOf(`${name}Parts`, parts, "input");
    return { surface, name, text: `export type ${name} = ${quoted(names)} | ${type}` };
  });
  const options = effects.map(({ surface, name }) => {
    const optional = surface === "api" || surface === "oauth" ? "?" : "";
    const match = `Omit<FaultMatch, 'surface'> & { surface${optional}: '${surface}' }`;
    return `  | { match${optional}: ${match}; effect: ${name} }`;
  });
  const rest = schemas.addFault.body.in;
  typeOf("FaultRules", rest.omit({ match: true, effect: true }), "input");
  return [
    ...effects.map(({ text }) => text),
    "/** What `addFault` takes: an effect of the surface that it matches; without one, of `api` and `oauth`. */",
    "export type NewFault = FaultRules & (",
    ...options,
    ")"
  ].join("\n");
}
function elementTypes() {
  definitions.FixtureElementFields = schemaOf(elementDocument, "input");
  const { $defs = {} } = z.toJSONSchema(createBody, { io: "input" });
  const options = Object.values($defs).flatMap(({ properties }) => {
    const { type, properties: own } = properties ?? {};
    const reference = own?.$ref ?? own?.anyOf?.find(({ $ref }) => $ref)?.$ref;
    return type?.const === void 0 || !reference ? [] : [[type.const, reference.split("/").at(-1)]];
  });
  const [variant] = Object.values($defs).filter(({ properties }) => properties?.properties);
  const { name, content, metadata } = variant?.properties ?? {};
  Object.assign(definitions.FixtureElementFields.properties ?? {}, { name, content, metadata });
  for (const [, name2] of options) {
    const { id: _, ...definition } = $defs[name2];
    definitions[name2] = definition;
  }
  return [
    "/** An element of a fixture document, with the properties of its type. */",
    "export type FixtureElement = Omit<FixtureElementFields, 'type' | 'properties'> & (",
    ...options.map(([type, name2]) => `  | { type: '${type}'; properties?: ${name2} }`),
    ")"
  ].join("\n");
}
function nameValues() {
  const manifest = definitions.Manifest?.properties;
  manifest.permissions = listOf("(Permission | { permission: Permission; purpose?: string })");
  Object.assign(manifest.webhook?.properties ?? {}, { events: listOf("EventType") });
  Object.assign(definitions.SendEventBody?.properties ?? {}, { type: { tsType: "EventType" } });
}
var listOf = (tsType) => ({ type: "array", items: { tsType } });
var orOther = (names) => `${quoted(names)} | (string & {})`;
function interfaceIn(file, name) {
  const text = readFileSync(new URL(`../src/${file}`, import.meta.url), "utf8");
  const [found] = new RegExp(`/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\s*export interface ${name}\\b[\\s\\S]*?\\n}`).exec(text) ?? [];
  if (!found) throw new Error(`${file} has no interface ${name} with a comment`);
  return found;
}
var methods = callNames.map(methodOf);
var faults = faultTypes();
var elements = elementTypes();
typeOf("AuditFileInput", auditFile, "input");
definitions.Manifest = schemaOf(manifestSchema([]), "input");
nameValues();
definitions.SettingOptions = schemaOf(settingsSchema, "input");
delete definitions.State;
delete definitions.NewFault;
var root = { $defs: definitions, type: "object", additionalProperties: false };
var compiled = await compile(root, "Unused", {
  bannerComment: "",
  unreachableDefinitions: true,
  ignoreMinAndMaxItems: true,
  additionalProperties: false,
  style: { semi: false, singleQuote: true, printWidth: 120 }
});
process.stdout.write(`// Made by \`npm run build:types\` of the tables and schemas of src; docs/api.d.ts is a copy.

/** A duration: milliseconds, or text such as \`90s\`, \`1h\`, \`30d\`. */
export type Duration = number | \`\${number}\${'ms' | 's' | 'm' | 'h' | 'd'}\`

/** A permission of a manifest: those that map to a scope, or any other. */
export type Permission = ${orOther(Object.keys(scopes))}

/** The type of a webhook event: the platform's own, or any other. */
export type EventType = ${orOther(Object.keys(lifecycleEvents))}

/** Documents, or paths of files that hold one. */
export type Fixtures = (FixtureDocument | string)[] | FixtureDocument | string

/** The control API: a method for each of its calls. Each rejects with an \`AdminError\` or an \`UnreachableError\`. */
export interface Admin {
${methods.join("\n")}
}

${interfaceIn("start/launch-options.ts", "StartOptions")}

${interfaceIn("start/start-emulator.ts", "Emulator")}

${interfaceIn("client/connect.ts", "ConnectOptions")}

${interfaceIn("client/errors.ts", "Problem")}

${interfaceIn("schema/issue.ts", "Issue")}

/** How bad it is when a check fails. */
export type Severity = ${quoted(severities)}

/** What a check came to; \`accepted\`: it failed, and the file says why that is known. */
export type Outcome = ${quoted(outcomes)}

${interfaceIn("audit/audit.ts", "AuditOptions")}

${interfaceIn("audit/report.ts", "CheckResult")}

${interfaceIn("audit/report.ts", "AuditReport")}

/** Audits an app that runs, configured for a running emulator; a suite can have one test a check of the result. */
export declare function audit(options: AuditOptions): Promise<AuditReport>

/** An audit that could not run: emulator or app unreachable, unknown app, bad file, interrupted. */
export declare class AuditFailure extends Error {
  constructor(message: string)
}

/** Starts an emulator in this process, on any free port and in memory unless told otherwise. */
export declare function startEmulator(options?: StartOptions): Promise<Emulator>

/** A client of the control API of the emulator at \`url\`. */
export declare function connect(url: string, options?: ConnectOptions): Admin

/** A control call that was refused. Its \`message\` says why, with every field that is wrong. */
export declare class AdminError extends Error {
  /** The HTTP status. */
  readonly status: number
  readonly problem: Problem
  constructor(status: number, problem: Problem)
}

/** No emulator answered at \`url\`; \`cause\` is the error of the connection, where there was one. */
export declare class UnreachableError extends Error {
  readonly url: string
  constructor(url: string, reason: string, options?: ErrorOptions)
}

/** Settings or options that do not exist or have values that they cannot have. Its \`message\` lists every issue. */
export declare class InvalidSettingsError extends Error {
  readonly issues: Issue[]
  constructor(issues: Issue[])
}

/** Fixtures that cannot be read, or hold something that is not valid. Its \`message\` lists every issue. */
export declare class InvalidFixturesError extends Error {
  readonly summary: string
  readonly issues: Issue[]
  constructor(summary: string, issues: Issue[])
}

/** Why an emulator does not start: the port is taken, or the store is in use, unreadable or of other fixtures. */
export declare class StartError extends Error {
  readonly exitStatus: 1 | 2
  constructor(exitStatus: 1 | 2, message: string)
}

${faults}

${elements}

${compiled.replace(/export interface Unused \{[^}]*\}\s*/, "").replace(/\/\*\*\s*\n \* This interface was referenced by `Unused`[\s\S]*?\*\/\n/g, "").trim()}
`);
