import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { issueAuthority, serverCertificate } from '../../src/foundation/tls/certificates.js'
import { test } from '../harness/webhook-test.js'

describe('wire §8: webhook_ca', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mockademy-https-'))
  const authority = join(folder, 'ca.pem')
  let server: Server
  let url = ''

  beforeAll(async () => {
    const issued = await issueAuthority()
    writeFileSync(authority, issued.certificate)
    const { cert, key } = await serverCertificate(issued, [])
    // The whole chain, as servers send it.
    server = createServer({ key, cert: cert + issued.certificate }, ({ url }, response) => {
      if (url === '/webhook') response.end()
      else response.writeHead(302, { location: '/webhook' }).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `https://localhost:${(server.address() as AddressInfo).port}/webhook`
  })
  afterAll(() => {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })

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
