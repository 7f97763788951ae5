import {
  putAnnouncements
} from "./chunk-D4TRWNWV.js";
import {
  mintPair
} from "./chunk-SQXZWWAL.js";

// src/fixtures/drafts.ts
function putDrafts({ store, clock }, tx, drafts, { keepSequences = false, last = 0, onTwice = () => {
} } = {}) {
  let generatedAt = clock.now() - drafts.filter(({ draft }) => draft.created_at === void 0).length;
  const sequences = /* @__PURE__ */ new Map();
  if (keepSequences) {
    const highest = drafts.reduce((high, { draft }) => Math.max(high, draft.sequence ?? 0), last);
    store.setCounters({ ...store.counters(), sequence: highest });
  }
  for (const [index, { collection, draft }] of drafts.entries()) {
    const created_at = draft.created_at ?? new Date(++generatedAt).toISOString();
    const given = keepSequences ? draft.sequence : void 0;
    const taken = sequences.get(collection) ?? /* @__PURE__ */ new Set();
    sequences.set(collection, taken);
    if (given !== void 0 && taken.has(given)) onTwice(index);
    const sequence = given ?? tx.next();
    taken.add(sequence);
    const dated = { ...draft, created_at, sequence };
    if ("updated_at" in dated && dated.updated_at === "") dated.updated_at = created_at;
    if ("timestamp" in dated && dated.timestamp === "") dated.timestamp = created_at;
    tx.put(collection, dated);
  }
}
function settleInstallations(world, tx, { mint, announce }) {
  for (const { installation: id, secrets } of mint) {
    const installation = world.store.installations.get(id);
    if (installation) mintPair(world, tx, { installation, grant: "install", scope: installation.scope, secrets });
  }
  putAnnouncements(world, tx, announce);
}

export {
  putDrafts,
  settleInstallations
};
