import {
  refusals
} from "./chunk-MW7MI5LZ.js";

// src/http/problem.ts
var problem = ({ refusal, status, message, details }) => ({
  status,
  headers: { "content-type": "application/problem+json" },
  body: {
    type: "about:blank",
    title: refusals[refusal].message,
    status,
    detail: details?.length ? `${message}: ${details.map(({ path, message: message2 }) => `${path} ${message2}`.trim()).join("; ")}` : message,
    ...details && { errors: details }
  }
});

export {
  problem
};
