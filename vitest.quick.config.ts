import { defineConfig, mergeConfig } from 'vitest/config'
import every from './vitest.config.js'

/** What takes long: tests that start a browser, another process or a whole app, or that send thousands of requests. */
const slow = [
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

/** `npm run test:quick`: for while one works. CI and `npm test` run every test. */
export default mergeConfig(every, defineConfig({ test: { exclude: slow } }))
