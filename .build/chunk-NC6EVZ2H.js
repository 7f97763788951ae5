// src/schema/json-text.ts
import { parseTree, printParseErrorCode } from "jsonc-parser";
function parseJsonText(text) {
  try {
    return { value: JSON.parse(text) };
  } catch {
    const errors = [];
    parseTree(text, errors, { disallowComments: true });
    const [first] = errors;
    const before = text.slice(0, first?.offset ?? text.length).split("\n");
    const reason = first && printParseErrorCode(first.error).replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, reason: reason ?? "invalid" };
  }
}

export {
  parseJsonText
};
