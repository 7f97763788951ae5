import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Begins with what takes longest, so that nothing is waited for alone in the end, and lets what waits go beside what works. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const ranked = sorted.toSorted((a, b) => rankOf(a) - rankOf(b))
    const waiting = ranked.filter(({ moduleId }) => waits.test(moduleId))
    const working = ranked.filter(({ moduleId }) => !waits.test(moduleId))
    const pairs = waiting.flatMap((file, index) => [file, ...working.slice(index, index + 1)])
    return [...pairs, ...working.slice(waiting.length)]
  }
}

/** They wait for apps and real time, and leave a processor free. */
const waits = /\/test\/(audit|sweep)\//

/** Half a minute and more each. Vitest knows files by their size, and these are small. */
const longest = /\/test\/(audit\/apps|sweep|docs\/shell-blocks|package\/(build|installed)|store\/fencing)\b/

const rankOf = ({ project, moduleId }: TestSpecification) =>
  longest.test(moduleId) ? 0 : project.name === 'slow' ? 1 : 2

export default defineConfig({
  test: {
    projects: ['vitest.quick.config.ts', 'vitest.slow.config.ts'],
    sequence: { sequencer: SlowFirst },
  },
})
