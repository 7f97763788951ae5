import {
  putDrafts,
  settleInstallations
} from "./chunk-3H6G6YER.js";

// src/fixtures/default-world.ts
import { readFile } from "node:fs/promises";
var MOMENT = "1970-01-01T00:00:00.000Z";
var COMPILED = new URL("./default-world.json", import.meta.url);
async function defaultWorld() {
  const text = await readFile(COMPILED, "utf8");
  const { hash, secrets } = JSON.parse(text);
  return {
    hash,
    settings: {},
    secrets: () => secrets,
    put(world, tx, announce) {
      const now = JSON.stringify(world.clock.timestamp());
      const { drafts, installations } = JSON.parse(text.replaceAll(JSON.stringify(MOMENT), now));
      putDrafts(world, tx, drafts);
      settleInstallations(world, tx, announce ? installations : { ...installations, announce: [] });
    }
  };
}

export {
  MOMENT,
  defaultWorld
};
