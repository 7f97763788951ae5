import {
  loadFixtures
} from "./chunk-Y6TB75EN.js";
import {
  parseJsonText
} from "./chunk-NC6EVZ2H.js";
import {
  invalid
} from "./chunk-MW7MI5LZ.js";
import {
  settingsSchema
} from "./chunk-6VLNLZIY.js";

// src/fixtures/documents-seed.ts
import { createHash } from "node:crypto";

// src/fixtures/fixture-sources.ts
import { readFile } from "node:fs/promises";
async function readSources(fixtures) {
  const issues = [];
  const sources = [];
  for (const source of [fixtures].flat()) {
    if (typeof source !== "string") sources.push({ document: source });
    else {
      const { document, issue } = await readDocument(source);
      sources.push({ file: source, document });
      if (issue !== void 0) issues.push({ path: source, message: issue });
    }
  }
  if (issues.length > 0) throw invalid(issues, "The fixtures cannot be read");
  return sources;
}
async function readDocument(file) {
  try {
    const { value, line, column, reason } = parseJsonText(await readFile(file, "utf8"));
    return line === void 0 ? { document: value } : { issue: `line ${line}, column ${column}: is not valid JSON: ${reason}` };
  } catch (error) {
    const { code, message } = error;
    return { issue: code === "ENOENT" ? "there is no such file" : `cannot be read: ${message}` };
  }
}

// src/fixtures/documents-seed.ts
async function seedOf(fixtures) {
  const sources = await readSources(fixtures);
  return {
    hash: hashOf(sources),
    settings: settingsOf(sources),
    secrets: () => secretsOf(sources),
    put: (world, tx, announce) => void loadFixtures(world, tx, sources, { keepSequences: sources.length === 1, announce })
  };
}
var hashOf = (sources) => createHash("sha256").update(JSON.stringify(sources.map(({ document }) => document))).digest("hex");
var settingsOf = (sources) => Object.assign(
  {},
  ...sources.map(({ document }) => settingsSchema.safeParse(document?.settings).data)
);
var secretsOf = (sources) => sources.flatMap(({ document }) => {
  const { organizations = [], apps = [] } = document;
  const secrets = [
    ...organizations.map(({ api_key }) => api_key),
    ...apps.flatMap(({ client_secret, signing_secret }) => [client_secret, signing_secret])
  ];
  return secrets.filter((secret) => secret != null);
});

export {
  seedOf,
  hashOf,
  secretsOf
};
