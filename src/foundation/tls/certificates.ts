import { generateKeyPair, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { promisify } from 'node:util'
import forge from 'node-forge'

const AUTHORITY_YEARS = 10
/** Browsers take no server certificate for longer. */
const SERVER_DAYS = 397
const DAY = 86_400_000
/** Its type is wrong in the declarations of node-forge. */
const UTF8: number = forge.asn1.Type.UTF8

/** A certificate authority of this user and this machine. PEM. */
export interface Authority {
  certificate: string
  key: string
}

/** Returns a new authority. */
export async function issueAuthority(): Promise<Authority> {
  const { publicKey, privateKey } = await newKeyPair()
  const certificate = draft(publicKey, AUTHORITY_YEARS * 365)
  const name = [{ name: 'commonName', value: `Mockademy local authority (${hostname()})`, valueTagClass: UTF8 }]
  certificate.setSubject(name)
  certificate.setIssuer(name)
  certificate.setExtensions([
    // An authority of servers only.
    { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    { name: 'subjectKeyIdentifier' },
  ])
  return { certificate: signed(certificate, privateKey), key: privateKey }
}

/**
 * Returns a certificate of an authority for a server under these host names, and its key, as `node:https` takes them.
 * @param hosts beside localhost, 127.0.0.1 and ::1
 */
export async function serverCertificate(authority: Authority, hosts: string[]): Promise<{ cert: string; key: string }> {
  const { publicKey, privateKey } = await newKeyPair()
  const issuer = forge.pki.certificateFromPem(authority.certificate)
  const certificate = draft(publicKey, SERVER_DAYS)
  certificate.setSubject([{ name: 'commonName', value: 'localhost' }])
  certificate.setIssuer(issuer.subject.attributes.map(decoded))
  const names = [...new Set(['localhost', '127.0.0.1', '::1', ...hosts])]
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectAltName', altNames: names.map(alternativeName) },
    { name: 'authorityKeyIdentifier', keyIdentifier: issuer.generateSubjectKeyIdentifier().getBytes() },
  ])
  return { cert: signed(certificate, authority.key), key: privateKey }
}

/** Returns a new pair of keys as PEM. `node:crypto` makes it a hundred times faster than node-forge. */
const newKeyPair = () =>
  promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

/** Returns a certificate that is valid from yesterday, for clocks that are not quite right. */
function draft(publicKey: string, days: number): forge.pki.Certificate {
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey)
  // A first byte of 1 keeps the number positive, and its encoding without padding that parsers refuse.
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`
  certificate.validity.notBefore = new Date(Date.now() - DAY)
  certificate.validity.notAfter = new Date(Date.now() + (days - 1) * DAY)
  return certificate
}

function signed(certificate: forge.pki.Certificate, key: string): string {
  certificate.sign(forge.pki.privateKeyFromPem(key), forge.md.sha256.create())
  return forge.pki.certificateToPem(certificate)
}

/** node-forge encodes a name in UTF-8 when it is written, and leaves it so when it is read: clients compare it by bytes. */
const decoded = (part: forge.pki.CertificateField) =>
  Number(part.valueTagClass) === UTF8 ? { ...part, value: forge.util.decodeUtf8(String(part.value)) } : part

/** Returns a name as RFC 5280 §4.2.1.6 has it. */
function alternativeName(host: string) {
  const version = isIP(host)
  if (version === 0) return { type: 2, value: host }
  // A URL writes every IPv6 address in groups alone, and takes no zone.
  return { type: 7, ip: version === 4 ? host : new URL(`http://[${host.replace(/%.*/, '')}]`).hostname.slice(1, -1) }
}
