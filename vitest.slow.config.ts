import { defaultExclude, defineConfig } from 'vitest/config'
import quick, { slow } from './vitest.quick.config.js'

/** The tests that `npm run test:quick` leaves out. */
export default defineConfig({
  ...quick,
  test: {
    ...quick.test,
    name: 'slow',
    include: slow.map((glob) => (glob.endsWith('**') ? `${glob}/*.test.ts` : glob)),
    exclude: defaultExclude,
  },
})
