// Set up for each test file of the run without a mutant: writes down which mutants the file's tests reach.
import { appendFileSync } from 'node:fs'
import { afterAll, expect } from 'vitest'

afterAll(() => {
  // Counts of the instrumented code: while modules are loaded, and afterwards.
  const { static: loading = {}, perTest = {} } = globalThis.__stryker__?.mutantCoverage ?? {}
  const reached = new Set([loading, ...Object.values(perTest)].flatMap(Object.keys))
  const line = JSON.stringify({ file: expect.getState().testPath, reached: [...reached] })
  appendFileSync(process.env.MUTATION_COVERAGE, `${line}\n`)
})
