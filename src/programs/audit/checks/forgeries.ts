import type { WireExchange } from '../../../control/client/wire.js'
import { capitalised } from '../../reports/capitalised.js'
import type { Scene } from '../scene.js'
import { fail, pass, type Verdict } from '../verdict.js'
import { acceptsGenuine, isAccepted, isServed, untold } from './genuine.js'
import { saidBy } from './probes.js'

/** A webhook that must be refused. */
interface Forgery {
  /** `with a signature of 8 digits` */
  what: string
  body?: string | Buffer
  signature?: string
}

/** The genuine webhook and what it would be signed with. */
interface Genuine {
  body: string
  signature: string
  sign: (body: string | Buffer, secret?: string) => string
}

/**
 * Forgeries of one webhook, each sent to an app that does not know the organization: it must refuse them with a 4xx and
 * do nothing. Then the genuine one, which must be accepted: a refused forgery must not have marked the event as seen.
 */
export const refuses =
  (forge: (genuine: Genuine) => Forgery[]) =>
  async (scene: Scene): Promise<Verdict> => {
    const { tenant, body } = await untold(scene)
    const sign = scene.platform.sign
    const found: { what: string; sent: WireExchange }[] = []
    let hasEffect = false
    for (const { what, ...forged } of forge({ body, signature: sign(body), sign })) {
      const sent = await scene.attacker.post({ body, ...forged })
      const wrong = issueWith(sent)
      if (wrong) found.push({ what: `a webhook ${what} ${wrong}`, sent })
      // One that took effect leaves the organization served: what comes after it says nothing.
      if (hasEffect) continue
      hasEffect = (await isServed(scene, tenant)) !== undefined
      if (hasEffect && !wrong) {
        found.push({ what: `a webhook ${what} got status ${sent.status}, but took effect anyway`, sent })
      }
    }
    const [first] = found
    if (first) {
      const seen = found.length > 1 ? found.map(({ what }) => what).join('; ') : undefined
      return fail(capitalised(first.what), { sent: first.sent, seen })
    }
    await acceptsGenuine(scene, tenant, body)
    return pass('Rejected, and the genuine webhook after it was accepted')
  }

/** What is wrong with the answer to a forgery; undefined for a 4xx. */
function issueWith(sent: WireExchange): string | undefined {
  if (isAccepted(sent)) return `was accepted (${saidBy(sent)})`
  if (sent.status === null) return `got no response (${sent.error})`
  if (sent.status >= 500) return `made the app fail (${saidBy(sent)})`
  return sent.status >= 400 ? undefined : `got ${saidBy(sent)} instead of a 4xx`
}

/** Turns one bit of the byte at `text`'s first character: what some decoders drop silently. */
function withHighBit(body: string, text: string): Buffer {
  const bytes = Buffer.from(body)
  const at = bytes.indexOf(text)
  bytes[at] = (bytes[at] ?? 0) ^ 0x80
  return bytes
}

export const unsigned = refuses(() => [{ what: 'without a signature header' }])

export const otherSecret = refuses(({ body, sign }) => [
  { what: 'signed with another secret', signature: sign(body, 'the secret of somebody else') },
  { what: 'signed with an empty secret', signature: sign(body, '') },
])

export const altered = refuses(({ body, signature }) => [
  { what: 'with one letter changed after signing', body: body.replace('"Audit ', '"audit '), signature },
  { what: 'with one bit changed after signing', body: withHighBit(body, 'Audit '), signature },
])

export const reserialised = refuses(({ body, signature }) => [
  { what: 'with the signature of its compact JSON', body: JSON.stringify(JSON.parse(body), null, 2), signature },
])

export const shortSignature = refuses(({ signature }) => [
  { what: 'with the first 8 digits of its signature', signature: signature.slice(0, 8) },
  { what: 'with an empty signature', signature: '' },
  { what: 'with 63 of the 64 digits of its signature', signature: signature.slice(0, 63) },
])

export const oddSignature = refuses(({ signature }) => [
  { what: 'with a signature that is not hexadecimal', signature: 'z'.repeat(64) },
  { what: 'with its signature in base64', signature: Buffer.from(signature, 'hex').toString('base64') },
  { what: 'with a signature of 10 KB', signature: 'a'.repeat(10_240) },
  { what: 'with a non-ASCII signature', signature: 'é'.repeat(64) },
])
