import { defaultExclude, defineConfig, mergeConfig } from 'vitest/config'
import whole from './vitest.config.js'

/** What takes long: tests that start a browser, another process or a whole app, or that send thousands of requests. */
const slow = [
  'test/{audit,bench,cli,console,docs,journeys,mcp,package,properties,real-platform}/**',
  'test/fixtures/fixture-schema.test.ts',
  'test/interop/clients.test.ts',
  'test/scenarios/{recording,scenario-command,scenario-schema,teaching}.test.ts',
  'test/store/{full-disk,lock,store}.test.ts',
  'test/web-app/pages.test.ts',
  'test/webhooks/{unrecorded-attempts,webhook-restarts}.test.ts',
  'test/world/{determinism,worlds}.test.ts',
]

/**
 * `npm run test:quick`: for while one works. CI and `npm test` run every test. These files leave nothing behind in their
 * process, so one process may run many: that halves the time.
 */
export default mergeConfig(whole, defineConfig({ test: { exclude: [...defaultExclude, ...slow], isolate: false } }))
