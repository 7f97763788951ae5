import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// The certificate authorities of the machine, which each process of Node.js would read for 40 ms: only npm needs them.
const { NODE_EXTRA_CA_CERTS } = process.env
if (NODE_EXTRA_CA_CERTS) {
  process.env.NPM_CA_CERTS = NODE_EXTRA_CA_CERTS
  delete process.env.NODE_EXTRA_CA_CERTS
}

/** Half a minute and more each. Vitest knows files by their size, and these are small. */
const longest = /\/test\/(audit\/apps|sweep|docs\/shell-blocks|package\/(build|installed)|store\/fencing)\b/

/** They wait for apps and real time, and leave a processor free. */
const waits = /\/test\/(audit|sweep)\//

const rankOf = ({ moduleId }: TestSpecification) => (longest.test(moduleId) ? 0 : 1)

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

/**
 * Test files leave nothing behind in their process, so one process runs many: that halves the time. They use the package as
 * its users have it: `mockademy` is what `npm run build` made.
 */
export default defineConfig({
  resolve: {
    alias: [
      { find: 'mockademy/vitest', replacement: fileURLToPath(new URL('./dist/vitest.js', import.meta.url)) },
      { find: /^mockademy$/, replacement: fileURLToPath(new URL('./dist/index.js', import.meta.url)) },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    isolate: false,
    // More than there are processors: the slow tests wait for other processes and real time for half of theirs.
    maxWorkers: availableParallelism() * 2,
    // Tests of a file that run side by side wait for most of their time.
    maxConcurrency: 8,
    // They end what hangs and measure nothing: a machine of CI may be many times slower than that of a developer.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    server: { deps: { external: [/\/dist\//] } },
    sequence: { sequencer: SlowFirst },
  },
})
