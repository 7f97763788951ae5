import { createHash, createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { dirname, join } from 'node:path'
import { connect } from 'node:tls'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { authorityBundle, authorityFile, localAuthority } from '../../src/foundation/tls/authority.js'
import { type Authority, issueAuthority, serverCertificate } from '../../src/foundation/tls/certificates.js'
import { serve } from '../harness/serve.js'

const DAY = 86_400_000

let authority: Authority
beforeAll(async () => {
  authority = await issueAuthority()
})

describe('the local authority', () => {
  test('signs itself, and may sign certificates', () => {
    const certificate = new X509Certificate(authority.certificate)
    expect(certificate.ca).toBe(true)
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.checkPrivateKey(createPrivateKey(authority.key))).toBe(true)
    expect(certificate.subject).toMatch(/^CN=Mockademy local authority \(.+\)$/)
    expect(certificate.issuer).toBe(certificate.subject)
  })

  test('was valid yesterday, and is for ten years', () => {
    const { validFrom, validTo } = new X509Certificate(authority.certificate)
    expect((Date.now() - Date.parse(validFrom)) / DAY).toBeCloseTo(1, 1)
    expect((Date.parse(validTo) - Date.now()) / DAY).toBeCloseTo(3649, 1)
  })
})

describe('the files of the local authority', () => {
  test('keep its key to its owner, and have it once in a bundle of a bundle', async () => {
    const home = await mkdtemp(join(os.tmpdir(), 'mockademy-'))
    vi.stubEnv('XDG_DATA_HOME', home)
    onTestFinished(async () => {
      vi.unstubAllEnvs()
      await rm(home, { recursive: true })
    })
    const { certificate } = await localAuthority()
    const { mode } = await stat(join(dirname(authorityFile()), 'ca.key'))
    expect(mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600)
    const bundle = await authorityBundle(undefined)
    expect((await readFile(bundle, 'utf8')).split(certificate.trim())).toHaveLength(2)
    expect(await authorityBundle(bundle)).toBe(bundle)
  })
})

describe('a server certificate', () => {
  test('has the name of its authority byte by byte, in any script', async () => {
    const hostname = vi.spyOn(os, 'hostname').mockReturnValue('bücher_10')
    syncBuiltinESMExports()
    const foreign = await issueAuthority()
    hostname.mockRestore()
    syncBuiltinESMExports()
    const issuer = new X509Certificate(foreign.certificate)
    const certificate = new X509Certificate((await serverCertificate(foreign, [])).cert)
    expect(issuer.subject).toBe('CN=Mockademy local authority (bücher_10)')
    expect(certificate.issuer).toBe(issuer.subject)
    expect(certificate.checkIssued(issuer)).toBe(true)
  })

  const hosts = ['shop.test', '192.0.2.7', 'fe80::1:2', '::ffff:192.0.2.8']

  test('is for this machine and the hosts, and names its authority', async () => {
    const issuer = new X509Certificate(authority.certificate)
    const { cert } = await serverCertificate(authority, [...hosts, 'fe80::1:3%eth0'])
    const certificate = new X509Certificate(cert)
    expect(certificate.ca).toBe(false)
    expect(certificate.checkIssued(issuer)).toBe(true)
    expect(certificate.verify(issuer.publicKey)).toBe(true)
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
    expect(certificate.subjectAltName).toBe(
      [
        'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, DNS:shop.test, IP Address:192.0.2.7',
        'IP Address:FE80:0:0:0:0:0:1:2, IP Address:0:0:0:0:0:FFFF:C000:208, IP Address:FE80:0:0:0:0:0:1:3',
      ].join(', '),
    )
    // The key identifier of both: RFC 5280 §4.2.1.2
    const key = createPublicKey(authority.key).export({ type: 'pkcs1', format: 'der' })
    const identifier = createHash('sha1').update(key).digest()
    expect([issuer, certificate].map(({ raw }) => raw.includes(identifier))).toEqual([true, true])
    expect((Date.parse(certificate.validTo) - Date.now()) / DAY).toBeCloseTo(396, 1)
  })

  test('is taken by a client that trusts the authority, for each name', async () => {
    const { port } = await serve(createServer(await serverCertificate(authority, hosts)))
    const shake = (servername: string) =>
      new Promise((resolve) => {
        const socket = connect({ port, host: '127.0.0.1', ca: authority.certificate, servername }, () => {
          socket.destroy()
          resolve('trusted')
        })
        socket.on('error', ({ message }) => resolve(message))
      })
    expect(await Promise.all(['localhost', 'shop.test'].map(shake))).toEqual(['trusted', 'trusted'])
    expect(await shake('other.test')).toMatch(/does not match/)
  })
})
