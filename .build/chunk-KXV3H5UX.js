// src/store/start-refusal.ts
var StartRefusal = class extends Error {
  constructor(exitStatus, message) {
    super(message);
    this.exitStatus = exitStatus;
    this.name = "StartError";
  }
  exitStatus;
};

// src/store/snapshot-document.ts
var FORMAT = 2;
var toLine = (n, changes, counters) => `${JSON.stringify({
  n,
  counters,
  changes: changes.map(({ collection, id, after }) => [collection, id, after])
})}
`;
function fold(document, lines) {
  const later = lines.filter(({ n }) => n > document.folded);
  if (later.length === 0) return document;
  const collections = /* @__PURE__ */ new Map();
  for (const [name, records] of Object.entries(document.collections)) {
    collections.set(name, new Map(records.map((record) => [record.id, record])));
  }
  let { folded, counters } = document;
  for (const line of later) {
    for (const [name, id, record] of line.changes) {
      const records = collections.get(name) ?? /* @__PURE__ */ new Map();
      collections.set(name, records);
      if (record) records.set(id, record);
      else records.delete(id);
    }
    folded = line.n;
    counters = line.counters;
  }
  const entries = [...collections].map(([name, records]) => [name, [...records.values()]]);
  return { ...document, folded, counters, collections: Object.fromEntries(entries) };
}
function rawLines(bytes) {
  const lines = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return { lines, torn: bytes.length - start };
}

export {
  StartRefusal,
  FORMAT,
  toLine,
  fold,
  rawLines
};
