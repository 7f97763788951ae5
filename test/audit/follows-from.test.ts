import { audit } from 'mockademy'
import { describe, expect, test } from 'vitest'
import { startExampleApp } from './example-app.js'

const rows = [
  {
    cause: 'webhook.never-installed',
    what: 'serves organizations that never installed it',
    find: 'const notInstalled = { status: 404,',
    replace: 'const notInstalled = { status: 200,',
    others: ['webhook.unsigned', 'webhook.short-signature', 'webhook.order', 'webhook.stale-install'],
  },
  {
    cause: 'api.refreshes-once',
    what: 'never refreshes',
    find: 'if (answer?.status === 401) {',
    replace: 'if (answer?.status === 0) {',
    others: ['api.stampede', 'api.rotation-kept', 'api.dead-grant', 'api.tolerant', 'webhook.replayed'],
  },
]

describe('a failure with one cause is found once, and the others say that they follow from it', () => {
  test.for(rows)('an app that $what', async ({ cause, find, replace, others }) => {
    const app = await startExampleApp([{ file: 'platform.js', find, replace }])
    try {
      const { checks } = await audit({ url: app.emulator.url, file: app.file, only: [cause, ...others] })
      const found = Object.fromEntries(checks.map(({ id, ...check }) => [id, check]))
      expect(found[cause]).toMatchObject({ outcome: 'fail' })
      expect(found[cause]).not.toHaveProperty('follows_from')
      for (const id of others) {
        expect({ id, ...found[id] }).toMatchObject({
          id,
          outcome: 'fail',
          follows_from: cause,
          message: expect.stringContaining(`(follows from ${cause})`),
        })
      }
    } finally {
      await app.close()
    }
  })
})
