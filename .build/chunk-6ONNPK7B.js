// src/http/route.ts
function route(methods, path, operation, handler) {
  return { methods: [methods].flat(), path, operation, handler };
}

export {
  route
};
