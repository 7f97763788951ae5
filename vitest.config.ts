import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Whoever begins with what takes longest does not wait for it alone in the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => Number(isSlow(b)) - Number(isSlow(a)))
  }
}

const isSlow = ({ project }: TestSpecification) => project.name === 'slow'

export default defineConfig({
  test: {
    projects: ['vitest.quick.config.ts', 'vitest.slow.config.ts'],
    sequence: { sequencer: SlowFirst },
  },
})
