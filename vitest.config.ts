import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Begins with what takes longest, so that nothing is waited for alone in the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}

/** Half a minute and more each. Vitest knows files by their size, and these are small. */
const longest = /\/test\/(audit|sweep|package\/(build|installed)|store\/fencing)\b/

const rankOf = ({ project, moduleId }: TestSpecification) =>
  longest.test(moduleId) ? 0 : project.name === 'slow' ? 1 : 2

export default defineConfig({
  test: {
    projects: ['vitest.quick.config.ts', 'vitest.slow.config.ts'],
    sequence: { sequencer: SlowFirst },
  },
})
