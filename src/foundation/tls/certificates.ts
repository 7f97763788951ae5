import { createHash, generateKeyPair, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { promisify } from 'node:util'
import { der, valuesIn } from './der.js'

const AUTHORITY_YEARS = 10
/** Browsers take no server certificate for longer. */
const SERVER_DAYS = 397
const DAY = 86_400_000

/** A certificate authority of this user and this machine. PEM. */
export interface Authority {
  certificate: string
  key: string
}

/** Tags of values. X.690 §8, RFC 5280 */
const SEQUENCE = 0x30
const SET = 0x31
const INTEGER = 0x02
const OCTETS = 0x04
const OBJECT = 0x06
const UTF8 = 0x0c

/** Object identifiers of RFC 5280 and RFC 8017, encoded. */
const identifiers = {
  sha256WithRsa: '2a864886f70d01010b',
  commonName: '550403',
  subjectKeyIdentifier: '551d0e',
  keyUsage: '551d0f',
  subjectAltName: '551d11',
  basicConstraints: '551d13',
  authorityKeyIdentifier: '551d23',
  extKeyUsage: '551d25',
  serverAuth: '2b06010505070301',
}

const object = (name: keyof typeof identifiers) => der(OBJECT, Buffer.from(identifiers[name], 'hex'))
const TRUE = Buffer.from([1, 1, 255])
const CRITICAL = TRUE
const SIGNATURE_ALGORITHM = der(SEQUENCE, object('sha256WithRsa'), Buffer.from([5, 0]))

/** An extension of a certificate. RFC 5280 §4.2 */
const extension = (name: keyof typeof identifiers, value: Buffer, ...critical: Buffer[]) =>
  der(SEQUENCE, object(name), ...critical, der(OCTETS, value))

/** Returns a new authority. */
export async function issueAuthority(): Promise<Authority> {
  const { publicKey, privateKey } = await newKeyPair()
  const name = nameOf(`Mockademy local authority (${hostname()})`)
  const extensions = [
    // An authority of servers only.
    extension('basicConstraints', der(SEQUENCE, TRUE, der(INTEGER, Buffer.from([0]))), CRITICAL),
    // keyCertSign and cRLSign.
    extension('keyUsage', Buffer.from([3, 2, 1, 0x06]), CRITICAL),
    extension('subjectKeyIdentifier', der(OCTETS, identifierOf(publicKey))),
  ]
  const key = pemOf(privateKey)
  const dated = { issuer: name, subject: name, days: AUTHORITY_YEARS * 365 }
  return { certificate: certificateOf({ ...dated, publicKey, extensions }, key), key }
}

/**
 * Returns a certificate of an authority for a server under these host names, and its key, as `node:https` takes them.
 * @param hosts beside localhost, 127.0.0.1 and ::1
 */
export async function serverCertificate(authority: Authority, hosts: string[]): Promise<{ cert: string; key: string }> {
  const { publicKey, privateKey } = await newKeyPair()
  const issuer = new X509Certificate(authority.certificate)
  const names = [...new Set(['localhost', '127.0.0.1', '::1', ...hosts])]
  const extensions = [
    extension('basicConstraints', der(SEQUENCE), CRITICAL),
    // digitalSignature and keyEncipherment.
    extension('keyUsage', Buffer.from([3, 2, 5, 0xa0]), CRITICAL),
    extension('extKeyUsage', der(SEQUENCE, object('serverAuth'))),
    extension('subjectAltName', der(SEQUENCE, ...names.map(alternativeName))),
    extension('authorityKeyIdentifier', der(SEQUENCE, der(0x80, identifierOf(issuer.publicKey)))),
  ]
  const dated = { issuer: subjectOf(issuer), subject: nameOf('localhost'), days: SERVER_DAYS }
  return { cert: certificateOf({ ...dated, publicKey, extensions }, authority.key), key: pemOf(privateKey) }
}

const newKeyPair = () => promisify(generateKeyPair)('rsa', { modulusLength: 2048 })

const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()

interface CertificateParts {
  issuer: Buffer
  subject: Buffer
  days: number
  publicKey: KeyObject
  extensions: Buffer[]
}

/** Returns a certificate as PEM, signed with the issuer's key. Valid from yesterday, for clocks that are not quite right. */
function certificateOf({ issuer, subject, days, publicKey, extensions }: CertificateParts, key: string): string {
  const signed = der(
    SEQUENCE,
    // Version 3.
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    // A first byte of 1 keeps the number positive, and its encoding without padding that parsers refuse.
    der(INTEGER, Buffer.from([1]), randomBytes(15)),
    SIGNATURE_ALGORITHM,
    issuer,
    der(SEQUENCE, timeOf(Date.now() - DAY), timeOf(Date.now() + (days - 1) * DAY)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, ...extensions)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', signed, key))
  return new X509Certificate(der(SEQUENCE, signed, SIGNATURE_ALGORITHM, signature)).toString()
}

const nameOf = (commonName: string) =>
  der(SEQUENCE, der(SET, der(SEQUENCE, object('commonName'), der(UTF8, Buffer.from(commonName)))))

/** Returns the subject as the certificate has it, byte by byte: some clients compare issuers so. */
function subjectOf({ raw }: X509Certificate): Buffer {
  const [signed] = valuesIn(raw) as [Buffer]
  return valuesIn(signed)[5] as Buffer
}

/** RFC 5280 §4.2.1.2, the first way. */
const identifierOf = (key: KeyObject) =>
  createHash('sha1')
    .update(key.export({ type: 'pkcs1', format: 'der' }))
    .digest()

/** Years from 2050 have four digits. RFC 5280 §4.1.2.5 */
function timeOf(ms: number): Buffer {
  const text = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '')
  return text < '2050' ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text))
}

const alternativeName = (host: string) => {
  const version = isIP(host)
  if (version === 0) return der(0x82, Buffer.from(host))
  return der(0x87, version === 4 ? Buffer.from(host.split('.').map(Number)) : bytesOfIpv6(host))
}

function bytesOfIpv6(address: string): Buffer {
  const withoutZone = address.replace(/%.*/, '')
  // As a URL writes it, the last four bytes have no dots.
  const groups = (part: string) => part.split(':').filter((group) => group !== '')
  const [first = '', last = ''] = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1).split('::')
  const zeros = Array<string>(8 - groups(first).length - groups(last).length).fill('0')
  return Buffer.from(
    [...groups(first), ...zeros, ...groups(last)].map((group) => group.padStart(4, '0')).join(''),
    'hex',
  )
}
