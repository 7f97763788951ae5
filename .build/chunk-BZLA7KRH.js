// src/world/retention.ts
function trimEnded(world, tx, collection) {
  const { store, settings, clock } = world;
  const ending = store[collection].in("ending", "all");
  if (ending.size <= settings.retention) return;
  const now = clock.timestamp();
  const endOf = store.endOf;
  const stillOpen = (rank) => (endOf(collection, ending.at(rank)) ?? "") > now;
  const oldest = [];
  for (let rank = 0; rank < ending.size - settings.retention && !stillOpen(rank + settings.retention); rank++) {
    oldest.push(ending.at(rank).id);
  }
  for (const id of oldest) tx.remove(collection, id);
}

export {
  trimEnded
};
