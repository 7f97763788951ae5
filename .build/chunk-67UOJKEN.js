// src/world/version.ts
import { createRequire } from "node:module";
var { version } = createRequire(import.meta.url)("mockademy/package.json");

export {
  version
};
