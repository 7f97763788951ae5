import { generateKeyPair, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { promisify } from 'node:util'
import forge from 'node-forge'

const AUTHORITY_YEARS = 10
/** Browsers take no server certificate for longer. */
const SERVER_DAYS = 397
const DAY = 86_400_000

/** A certificate authority of this user and this machine. PEM. */
export interface Authority {
  certificate: string
  key: string
}

/** A new authority. Its key comes from node:crypto, which is a hundred times faster than node-forge. */
export async function issueAuthority(): Promise<Authority> {
  const pair = await newKeyPair()
  const name = [{ name: 'commonName', value: `Mockademy local authority (${hostname()})` }]
  const certificate = draft(pair.publicKey, AUTHORITY_YEARS * 365)
  certificate.setSubject(name)
  certificate.setIssuer(name)
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    { name: 'subjectKeyIdentifier' },
  ])
  certificate.sign(forge.pki.privateKeyFromPem(pair.privateKey), forge.md.sha256.create())
  return { certificate: forge.pki.certificateToPem(certificate), key: pair.privateKey }
}

/**
 * A certificate of an authority for a server under these host names, and its key, as `node:https` takes them.
 * @param hosts beside localhost, 127.0.0.1 and ::1
 */
export async function serverCertificate(authority: Authority, hosts: string[]): Promise<{ cert: string; key: string }> {
  const pair = await newKeyPair()
  const issuer = forge.pki.certificateFromPem(authority.certificate)
  const certificate = draft(pair.publicKey, SERVER_DAYS)
  certificate.setSubject([{ name: 'commonName', value: 'localhost' }])
  certificate.setIssuer(issuer.subject.attributes)
  const names = [...new Set(['localhost', '127.0.0.1', '::1', ...hosts])]
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    {
      name: 'subjectAltName',
      altNames: names.map((host) => (isIP(host) ? { type: 7, ip: host } : { type: 2, value: host })),
    },
    { name: 'authorityKeyIdentifier', keyIdentifier: issuer.generateSubjectKeyIdentifier().getBytes() },
  ])
  certificate.sign(forge.pki.privateKeyFromPem(authority.key), forge.md.sha256.create())
  return { cert: forge.pki.certificateToPem(certificate), key: pair.privateKey }
}

const newKeyPair = () =>
  promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

/** Valid from yesterday, for clocks that are not quite right. */
function draft(publicKey: string, days: number): forge.pki.Certificate {
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey)
  // A first byte of 1 keeps the number positive, and its encoding without padding that parsers refuse.
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`
  certificate.validity.notBefore = new Date(Date.now() - DAY)
  certificate.validity.notAfter = new Date(Date.now() + (days - 1) * DAY)
  return certificate
}
