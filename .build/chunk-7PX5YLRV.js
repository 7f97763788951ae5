// src/oauth/silent-auth.ts
var silentOutcomes = {
  login_required: "The user is not signed in",
  interaction_required: "The app is not installed for the user, or the organization cannot be used",
  consent_required: "The user must consent",
  invalid_scope: "The requested scopes exceed the manifest",
  server_error: "The server met an unexpected condition",
  temporarily_unavailable: "The server cannot handle the request at the moment"
};
var matchers = ["app", "organization", "user"];
function forcedOutcome(world, facts) {
  const matching = [...world.store.silent_auth.all].filter(
    (record) => matchers.every((name) => record[name] === null || record[name] === facts[name])
  );
  const forced = matching.sort((a, b) => precision(b) - precision(a))[0];
  if (!forced) return void 0;
  const { left } = forced;
  if (left !== null) {
    world.store.change((tx) => {
      if (left <= 1) tx.remove("silent_auth", forced.id);
      else tx.put("silent_auth", { ...forced, left: left - 1 });
    });
  }
  return forced.outcome;
}
var precision = (record) => matchers.filter((name) => record[name] !== null).length;
function forceOutcome(world, facts) {
  const { times, ...fields } = facts;
  return world.store.change((tx) => {
    for (const record2 of [...world.store.silent_auth.all]) {
      if (matchers.every((name) => record2[name] === facts[name])) tx.remove("silent_auth", record2.id);
    }
    const { clock, random } = world;
    const created = { id: random.id(), sequence: tx.next(), created_at: clock.timestamp() };
    const record = { ...created, ...fields, left: times };
    tx.put("silent_auth", record);
    return record;
  });
}

export {
  silentOutcomes,
  forcedOutcome,
  forceOutcome
};
