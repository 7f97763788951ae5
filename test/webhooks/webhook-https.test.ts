import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { afterAll, describe, expect } from 'vitest'
import { issueAuthority, serverCertificate } from '../../src/foundation/tls/certificates.js'
import { listen } from '../harness/serve.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { test } from '../harness/webhook-test.js'

describe('wire §8: webhook_ca', async () => {
  const authority = join(temporaryFolder(afterAll), 'ca.pem')
  const issued = await issueAuthority()
  writeFileSync(authority, issued.certificate)
  const { cert, key } = await serverCertificate(issued, [])
  // The whole chain, as servers send it.
  const server = createServer({ key, cert: cert + issued.certificate }, ({ url }, response) => {
    if (url === '/webhook') response.end()
    else response.writeHead(302, { location: '/webhook' }).end()
  })
  const { port, close } = await listen(server)
  const url = `https://localhost:${port}/webhook`
  afterAll(close)

  test('without it, a certificate of an unknown authority is not trusted', async ({ install, push }) => {
    await push({ webhook: { url } })
    const { delivery } = (await install()).body
    expect(delivery).toMatchObject({ state: 'retrying', attempts: [{ error: expect.stringMatching(/self.signed/) }] })
  })

  describe('when given', () => {
    test.override({ settings: { webhookCa: authority } })

    test('certificates of that authority are trusted', async ({ install, push }) => {
      await push({ webhook: { url } })
      expect((await install()).body.delivery).toMatchObject({ state: 'acknowledged', attempts: [{ status: 200 }] })
    })

    test('a redirect of an app that speaks https is no redirect to https', async ({ install, push }) => {
      await push({ webhook: { url: `${url}s` } })
      expect((await install()).body.delivery.attempts[0].error).toBe(
        `the app responded with 302; redirects are not followed: the app sends the webhook on to ${url}, so write that address in webhook.url`,
      )
    })
  })
})
