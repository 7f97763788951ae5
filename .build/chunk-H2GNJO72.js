// src/http/path-pattern.ts
function matchesPath(pattern, path) {
  if (!pattern.includes("*")) return pattern === path;
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop() ?? "";
  if (!path.startsWith(first) || !path.endsWith(last) || path.length < first.length + last.length) return false;
  let from = first.length;
  for (const part of rest) {
    const found = path.indexOf(part, from);
    if (found < 0) return false;
    from = found + part.length;
  }
  return from <= path.length - last.length;
}

// src/faults/faults.ts
var timesLeft = ({ times, hits }) => times === null ? null : times - hits;
function fireFault(world, facts) {
  if (world.store.faults.all.size === 0) return void 0;
  return world.store.change((tx) => {
    for (const fault of [...world.store.faults.all]) {
      const isOver = timesLeft(fault) === 0 || fault.expires_at !== null && fault.expires_at <= world.clock.timestamp();
      if (isOver || !matches(world, fault.match, facts)) continue;
      const seen = fault.seen + 1;
      const fires = seen > fault.after && (fault.probability === 1 || world.random.fraction() < fault.probability);
      const counted = { ...fault, seen, hits: fault.hits + (fires ? 1 : 0) };
      tx.put("faults", counted);
      if (fires) return counted;
    }
    return void 0;
  });
}
function matches(world, match, facts) {
  const { surface, path, app, ...exact } = match;
  if (surface ? surface !== facts.surface : facts.surface !== "api" && facts.surface !== "oauth") return false;
  if (path !== void 0 && !matchesPath(path, facts.path ?? "")) return false;
  if (app !== void 0 && facts.app !== app && world.store.apps.get(facts.app ?? "")?.client_id !== app) return false;
  return Object.keys(exact).every((name) => match[name] === facts[name]);
}

export {
  matchesPath,
  timesLeft,
  fireFault
};
