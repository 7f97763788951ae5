import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import forge from 'node-forge'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { test } from '../harness/webhook-test.js'

/** A certificate for localhost that signs itself. */
function selfSigned(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey)
  certificate.serialNumber = '01'
  certificate.validity.notBefore = new Date(Date.now() - 86_400_000)
  certificate.validity.notAfter = new Date(Date.now() + 86_400_000)
  const name = [{ name: 'commonName', value: 'localhost' }]
  certificate.setSubject(name)
  certificate.setIssuer(name)
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
  ])
  certificate.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create())
  return { key: privateKey, cert: forge.pki.certificateToPem(certificate) }
}

describe('wire §8: webhook_ca', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mockademy-https-'))
  const authority = join(folder, 'ca.pem')
  let server: Server
  let url = ''

  beforeAll(async () => {
    const pair = selfSigned()
    writeFileSync(authority, pair.cert)
    server = createServer(pair, (_, response) => response.end())
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
  })
})
