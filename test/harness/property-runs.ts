/**
 * Says how often fast-check tries a property, and by which seed. `npm test` tries the same cases each time, so that a
 * failure is of the change. `PROPERTY_RUNS=4` tries four times as many, drawn anew (`npm run test:properties`);
 * `PROPERTY_SEED` repeats a run.
 */
export function propertyRuns(runs: number): { numRuns: number; seed: number } {
  const { PROPERTY_RUNS, PROPERTY_SEED } = process.env
  const seed = PROPERTY_SEED ?? (PROPERTY_RUNS ? Date.now() % 2 ** 31 : 1)
  return { numRuns: Math.ceil(runs * Number(PROPERTY_RUNS ?? 1)), seed: Number(seed) }
}
