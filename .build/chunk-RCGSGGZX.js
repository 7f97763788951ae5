import {
  parse
} from "./chunk-KIUJWS5H.js";
import {
  queryObject
} from "./chunk-5H4UC7ZU.js";
import {
  route
} from "./chunk-6ONNPK7B.js";
import {
  strict
} from "./chunk-ZTFQIRJI.js";
import {
  invalid
} from "./chunk-MW7MI5LZ.js";

// src/admin/stream.routes.ts
import * as z from "zod";
var eventId = z.coerce.number("must be the id of an event").int().min(0);
var streamQuery = strict({ since: eventId.optional() });
function sinceOf(request) {
  const { since } = parse(streamQuery, queryObject(request.query));
  const header = request.headers["last-event-id"];
  if (header === void 0 || header === "") return since;
  const { success, data } = eventId.safeParse(header);
  if (!success) throw invalid([{ path: "Last-Event-ID", message: "must be the id of an event" }]);
  return data;
}
var asText = (portion) => portion.map(({ id, type, data }) => `id: ${id}
event: ${type}
data: ${JSON.stringify(data)}

`).join("");
async function* textOf(portions) {
  for await (const portion of portions) yield asText(portion);
}
var streamed = (stream) => ({
  status: 200,
  headers: {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no"
  },
  stream
});
var streamRoutes = [
  route(
    "GET",
    "/_admin/stream",
    {
      id: "stream",
      summary: "Requests, deliveries and changes, as they happen (server-sent events)",
      source: "control-api: Journal",
      query: streamQuery
    },
    (world, request) => streamed(textOf(world.stream.read(sinceOf(request), request.signal)))
  )
];

export {
  streamRoutes
};
