// src/http/request.ts
var queryObject = (query) => Object.fromEntries(
  [...grouped(query)].map(([name, values]) => [name, values.length > 1 ? values : values[0] ?? ""])
);
function grouped(parameters) {
  const groups = /* @__PURE__ */ new Map();
  for (const [name, value] of parameters) {
    const group = groups.get(name);
    if (group) group.push(value);
    else groups.set(name, [value]);
  }
  return groups;
}

export {
  queryObject,
  grouped
};
