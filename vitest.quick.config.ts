import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defaultExclude, defineConfig } from 'vitest/config'

/** What takes long: tests that start a browser, another process or a whole app, or that send thousands of requests. */
export const slow = [
  'test/{audit,bench,cli,console,docs,journeys,languages,mcp,package,properties,real-platform,run-report,sweep}/**',
  'test/client/report-fixtures.test.ts',
  'test/coverage/{closing,coverage-command,suites}.test.ts',
  'test/findings/command-line.test.ts',
  'test/fixtures/fixture-schema.test.ts',
  'test/interop/clients.test.ts',
  'test/liberties/{apps,exec,fragile-apps,proof}.test.ts',
  'test/scenarios/{recording,scenario-command,scenario-schema,teaching}.test.ts',
  'test/store/{deleted,fencing,full-disk,large-world,layout,links,lock,snapshots,store}.test.ts',
  'test/web-app/pages.test.ts',
  'test/webhooks/{receivers,unrecorded-attempts,webhook-restarts}.test.ts',
  'test/world/{determinism,worlds}.test.ts',
]

// The certificate authorities of the machine, which each process of Node.js would read for 40 ms: only npm needs them.
const { NODE_EXTRA_CA_CERTS } = process.env
if (NODE_EXTRA_CA_CERTS) {
  process.env.NPM_CA_CERTS = NODE_EXTRA_CA_CERTS
  delete process.env.NODE_EXTRA_CA_CERTS
}

/**
 * `npm run test:quick`: for while one works. CI and `npm test` run every test. Test files leave nothing behind in their
 * process, so one process runs many: that halves the time. They use the package as its users have it: `mockademy` is what
 * `npm run build` made.
 */
export default defineConfig({
  resolve: {
    alias: [
      { find: 'mockademy/vitest', replacement: fileURLToPath(new URL('./dist/vitest.js', import.meta.url)) },
      { find: /^mockademy$/, replacement: fileURLToPath(new URL('./dist/index.js', import.meta.url)) },
    ],
  },
  test: {
    name: 'quick',
    include: ['test/**/*.test.ts'],
    exclude: [...defaultExclude, ...slow],
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
  },
})
