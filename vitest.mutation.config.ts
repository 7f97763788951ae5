import { defineConfig, mergeConfig } from 'vitest/config'
import quick from './vitest.quick.config.js'

const coverage = process.env.MUTATION_COVERAGE !== undefined

/** `npm run mutation` runs this in a copy of the tree, for each mutant; once without one, to see which tests reach which. */
export default mergeConfig(
  quick,
  defineConfig({
    test: {
      // The first reads the declarations of the package, which the copy does not make, the second code, which mutants change.
      exclude: ['test/client/public-api.test.ts', 'test/world/tables.test.ts'],
      // A file that has its process to itself loads the package itself, so that it counts what that does.
      isolate: coverage,
      setupFiles: coverage ? ['scripts/mutation-coverage.js'] : [],
      maxWorkers: 1,
      // A mutant may wait for what never comes.
      testTimeout: 10_000,
      hookTimeout: 10_000,
    },
  }),
)
