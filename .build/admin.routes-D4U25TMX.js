import {
  callNames,
  entryOf
} from "./chunk-YPZAJWLO.js";

// src/admin/admin.routes.ts
var adminRoutes = callNames.map((name) => {
  const { method, path, summary, source, status, open } = entryOf(name);
  return {
    methods: [method],
    path,
    operation: { id: name, summary, source, ...status && { status }, ...open && { open } },
    async handler(world, request) {
      const { handleCall } = await import("./handle-call-26HOQ6CW.js");
      return handleCall(name, world, request);
    }
  };
});
export {
  adminRoutes
};
