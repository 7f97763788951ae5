import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Tests use the package as its users have it: `mockademy` is what `npm run build` made.
export default defineConfig({
  resolve: {
    alias: [
      { find: 'mockademy/vitest', replacement: fileURLToPath(new URL('./dist/vitest.js', import.meta.url)) },
      { find: /^mockademy$/, replacement: fileURLToPath(new URL('./dist/index.js', import.meta.url)) },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    // Many of them wait for processes of their own.
    maxWorkers: '100%',
    testTimeout: 20_000,
    hookTimeout: 20_000,
    server: { deps: { external: [/\/dist\//] } },
  },
})
