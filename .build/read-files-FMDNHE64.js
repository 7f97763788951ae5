import {
  FORMAT,
  StartRefusal,
  fold,
  rawLines
} from "./chunk-KXV3H5UX.js";
import {
  parseJsonText
} from "./chunk-NC6EVZ2H.js";
import {
  describeIssue,
  pathIssuesOf
} from "./chunk-OEGBZOM3.js";

// src/store/read-files.ts
import { isUtf8 } from "node:buffer";
import { existsSync, readFileSync } from "node:fs";
import { findNodeAtLocation, parseTree } from "jsonc-parser";
import * as z from "zod";
var counters = z.strictObject({ sequence: z.int().min(0), draws: z.int().min(0) });
var header = z.strictObject({
  /** Broken, as somebody has edited it. */
  sealed: z.string().optional(),
  mockademy: z.int(),
  /** The first format does not say. */
  version: z.string().default("0.1.0"),
  folded: z.int().min(0),
  seeded_from: z.string(),
  fixture_secrets: z.array(z.string()).optional(),
  counters,
  collections: z.record(z.string(), z.array(z.unknown()))
});
var journalLine = z.strictObject({
  n: z.int().min(1),
  counters,
  changes: z.array(z.tuple([z.string(), z.string(), z.unknown()]))
});
var looksLikeStore = z.looseObject({ mockademy: z.int(), version: z.string().optional() });
async function readFiles(file, given) {
  const reading = { version: given.version, kinds: await withSchemas(given.kinds) };
  const journalFile = `${file}.journal`;
  const hasJournal = existsSync(journalFile);
  if (!existsSync(file)) {
    if (!hasJournal) return void 0;
    const why = `${journalFile} is there, but ${file}, which it belongs to, is not`;
    throw new StartRefusal(2, `The store cannot be read: ${why}. Bring it back, or start with --fresh.`);
  }
  const text = textOf(file, bytesOf(file));
  const document = readSnapshot(file, text, reading);
  const isOutdated = document.mockademy < FORMAT;
  if (!hasJournal)
    return { document: upToDate(document, document, reading), isOutdated, journal: { whole: 0, torn: 0 } };
  const bytes = bytesOf(journalFile);
  const { lines: raw, torn } = rawLines(bytes);
  const lines = raw.map((line, index) => readLine(journalFile, line, index + 1, document, reading));
  for (const [index, { n }] of lines.entries()) {
    const before = lines[index - 1]?.n ?? Math.max(document.folded, n - 1);
    if (index === 0 ? n > document.folded + 1 : n !== before + 1) {
      throw unreadable(journalFile, index + 1, "a change before it is missing");
    }
  }
  return {
    document: upToDate(fold(document, lines), document, reading),
    isOutdated,
    journal: { whole: bytes.length - torn, torn }
  };
}
var withSchemas = async (kinds) => Object.fromEntries(
  await Promise.all(
    Object.entries(kinds).map(
      async ([name, { schema, upgrade }]) => [name, { schema: await schema(), upgrade }]
    )
  )
);
function upToDate(document, { mockademy }, { version }) {
  if (mockademy === FORMAT) return document;
  return { ...document, mockademy: FORMAT, version };
}
function readSnapshot(file, text, reading) {
  const { value, line } = parseJsonText(text);
  if (line !== void 0) throw unreadable(file, line, "it is not valid JSON");
  const looks = looksLikeStore.safeParse(value);
  if (!looks.success) throw unreadable(file, 1, "it is not a store of Mockademy");
  const { mockademy: format, version: writer } = looks.data;
  if (format < 1 || format > FORMAT) throw otherFormat(file, format, writer, reading.version);
  const stop = (path, message) => {
    throw unreadable(file, lineOf(text, path), `${path.join(".")} ${message}`, writer);
  };
  const read = header.safeParse(value, { error: describeIssue });
  if (!read.success) {
    const [issue] = pathIssuesOf(read.error);
    return stop(issue?.path ?? [], issue?.message ?? "is not valid");
  }
  const document = value;
  for (const [name, records] of Object.entries(read.data.collections)) {
    const check = checkOf(reading.kinds, name, format);
    if (!check) return stop(["collections", name], "is not a collection that this version knows");
    const ids = /* @__PURE__ */ new Set();
    for (const [index, record2] of records.entries()) {
      const checked = check(record2);
      if ("issue" in checked) {
        return stop(["collections", name, index, ...checked.issue.path], checked.issue.message);
      }
      if (ids.has(checked.id)) stop(["collections", name, index, "id"], `"${checked.id}" is given twice`);
      ids.add(checked.id);
      records[index] = checked.record;
    }
    ;
    document.collections[name] = records;
  }
  const { sealed: _, ...rest } = document;
  return { ...rest, version: writer ?? read.data.version };
}
function readLine(file, bytes, line, document, { kinds }) {
  const stop = (why) => {
    throw unreadable(file, line, why, document.version);
  };
  if (!isUtf8(bytes)) stop("it is not UTF-8");
  const parsed = parseJsonText(bytes.toString());
  if (parsed.line !== void 0) stop("it is not valid JSON");
  const read = journalLine.safeParse(parsed.value, { error: describeIssue });
  if (!read.success) {
    const [issue] = pathIssuesOf(read.error);
    return stop(`it is not a change: ${issue?.path.join(".")} ${issue?.message}`);
  }
  for (const [index, change] of read.data.changes.entries()) {
    const [name, id, record2] = change;
    const check = checkOf(kinds, name, document.mockademy);
    if (!check) return stop(`${name} is not a collection that this version knows`);
    if (record2 === null) continue;
    const checked = check(record2);
    if ("issue" in checked) {
      stop(`${["changes", index, name, ...checked.issue.path].join(".")} ${checked.issue.message}`);
    } else if (checked.id !== id) stop(`changes.${index} is of "${id}", but its record is "${checked.id}"`);
    else change[2] = checked.record;
  }
  return read.data;
}
function checkOf(kinds, name, format) {
  if (!Object.hasOwn(kinds, name)) return void 0;
  const { schema, upgrade } = kinds[name];
  const strict = schema.strict();
  return (given) => {
    const isOld = upgrade && format < FORMAT && typeof given === "object" && given !== null;
    const record2 = isOld ? upgrade(given, format) : given;
    const read = strict.safeParse(record2, { error: describeIssue });
    if (read.success) return { id: record2.id, record: record2 };
    const [issue] = pathIssuesOf(read.error);
    return { issue: issue ?? { path: [], message: "is not valid" } };
  };
}
function bytesOf(file) {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new StartRefusal(2, `The store ${file} cannot be read: ${error.message}`);
  }
}
function textOf(file, bytes) {
  if (isUtf8(bytes)) return bytes.toString();
  const { lines } = rawLines(bytes);
  const line = lines.findIndex((each) => !isUtf8(each));
  throw unreadable(file, (line < 0 ? lines.length : line) + 1, "it is not UTF-8");
}
function lineOf(text, path) {
  const root = text.length < 32 * 1024 * 1024 ? parseTree(text) : void 0;
  for (let length = path.length; root && length >= 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node) return text.slice(0, node.offset).split("\n").length;
  }
  return 1;
}
var otherFormat = (file, format, writer, version) => new StartRefusal(
  2,
  `The store cannot be read: ${file}, line 2: it is of format ${format}, which Mockademy ${writer ?? "of another version"} wrote; this is Mockademy ${version}, which reads formats 1 to ${FORMAT}. Nothing was changed. Use ${writer ? `Mockademy ${writer}` : "the version that wrote it"} or a later one, or start with --fresh to seed a new store (the old one is kept beside it).`
);
var unreadable = (file, line, why, writer) => new StartRefusal(
  2,
  `The store cannot be read: ${file}, line ${line}: ${why}. ${writer ? `Mockademy ${writer} wrote it. ` : ""}Nothing was changed. Correct or move the file, or start with --fresh to seed a new store (the old one is kept beside it).`
);
export {
  readFiles
};
