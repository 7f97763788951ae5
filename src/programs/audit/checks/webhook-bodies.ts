import type { WireExchange } from '../../../control/client/wire.js'
import { attemptOf } from '../actors/platform.js'
import type { Scene } from '../scene.js'
import { counted, fail, pass, type Verdict } from '../verdict.js'
import { acceptsGenuine, installed, isAccepted, refusesForgeries, untold } from './genuine.js'
import { probeOk, saidBy } from './probes.js'

/** spec: §6 rule 2 */
const WINDOW = 3_000

type Delivery = Parameters<typeof attemptOf>[0] & { state: string }

/** What is wrong with how a delivery was acknowledged. */
function lateness(delivery: Delivery | null): string | undefined {
  const attempt = attemptOf(delivery)
  if (!attempt) return 'was not sent'
  if (attempt.error !== null) return `was not acknowledged: ${attempt.error}`
  return attempt.duration > WINDOW ? `was acknowledged too late, after ${attempt.duration} ms` : undefined
}

export async function accepts(scene: Scene): Promise<Verdict> {
  const tenant = await scene.platform.tenant()
  const { delivery } = await scene.platform.install(tenant)
  const wrong = lateness(delivery)
  if (wrong) return fail(`A genuine app.installed ${wrong}`, { seen: `sent to ${delivery?.url}`, late: true })
  await refusesForgeries(scene)
  return pass(`Acknowledged with ${attemptOf(delivery)?.status} after ${attemptOf(delivery)?.duration} ms`)
}

export async function acknowledgesFirst(scene: Scene): Promise<Verdict> {
  const tenant = await scene.platform.tenant()
  const slow = await scene.platform.fault(tenant.slug, { match: { surface: 'api' }, effect: { delay: '10s' } })
  const { delivery } = await scene.platform.install(tenant)
  const wrong = lateness(delivery)
  const calls = await slow.hits()
  await slow.lift()
  if (!wrong) return pass(`Acknowledged after ${attemptOf(delivery)?.duration} ms while /v0 took 10 s to respond`)
  const why = calls > 0 ? `, while ${counted(calls, '/v0 request')} of the handler waited for the platform` : ''
  return fail(`app.installed ${wrong}${why}`, { seen: `sent to ${delivery?.url}`, late: true })
}

export async function rawBody(scene: Scene): Promise<Verdict> {
  const { tenant, envelope } = await untold(scene)
  const body = reformatted(envelope)
  const sent = await scene.attacker.post({ body, signature: scene.platform.sign(body) })
  if (!isAccepted(sent)) {
    return fail(`A genuine webhook with unusually formatted JSON was not accepted: ${saidBy(sent)}`, { sent })
  }
  await refusesForgeries(scene)
  if (scene.file.probe) await probeOk(scene, tenant, 'after the webhook')
  return pass('The signature was verified over the raw bytes')
}

/** The same value with its keys in another order, spaces, escapes and a newline at the end. */
function reformatted(envelope: object): string {
  const reordered = Object.fromEntries(Object.entries(envelope).reverse())
  return `${JSON.stringify(reordered, null, 3).replaceAll('Audit', '\\u0041udit').replaceAll('": ', '" :  ')}\n`
}

/** A webhook beside the usual ones, signed as it should be, must be acknowledged. */
async function acknowledged(scene: Scene, body: string, what: string): Promise<Verdict> {
  const sent = await scene.attacker.post({ body, signature: scene.platform.sign(body) })
  return isAccepted(sent)
    ? pass(`Acknowledged with ${sent.status}`)
    : fail(`${what} was not acknowledged: ${saidBy(sent)}`, { sent })
}

export async function unknownEvent(scene: Scene): Promise<Verdict> {
  const { tenant, made } = await installed(scene)
  const event = scene.platform.envelope(tenant, made, {
    type: 'audit.nobody_knows_this',
    data: { anything: [1, null] },
  })
  return acknowledged(scene, JSON.stringify(event), 'An event of an unknown type')
}

export async function unknownFields(scene: Scene): Promise<Verdict> {
  const { tenant, envelope } = await untold(scene)
  const verdict = await acknowledged(scene, JSON.stringify(withMore(envelope)), 'A webhook with undocumented fields')
  if (verdict.outcome === 'pass' && scene.file.probe) await probeOk(scene, tenant, 'after the webhook')
  return verdict
}

/** A field more in every object. */
const withMore = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? {
        ...Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withMore(inner)])),
        audit_extra: { a: [1] },
      }
    : value

export async function withoutCredentials(scene: Scene): Promise<Verdict> {
  const { envelope } = await untold(scene)
  const { credentials: _, ...data } = envelope.data as Record<string, unknown>
  return acknowledged(scene, JSON.stringify({ ...envelope, data }), 'An app.installed without credentials')
}

const garbage: [what: string, body: string][] = [
  ['an empty body', ''],
  ['the JSON value null', 'null'],
  ['an empty JSON array', '[]'],
  ['text that is not JSON', '{"type":'],
  ['900 KB of text that is not JSON', 'x'.repeat(900 * 1024)],
]

export async function garbageBodies(scene: Scene): Promise<Verdict> {
  const found: { what: string; sent: WireExchange }[] = []
  const judge = (what: string, sent: WireExchange) => {
    const isRefused = sent.status !== null && sent.status >= 400 && sent.status < 500
    if (!isRefused) found.push({ what: `${what} got ${saidBy(sent)}`, sent })
  }
  for (const [what, body] of garbage) {
    judge(`${what} with a valid signature`, await scene.attacker.post({ body, signature: scene.platform.sign(body) }))
  }
  judge('a GET', await scene.attacker.send({ method: 'GET', url: scene.app.webhook }))
  const [first] = found
  if (first) {
    const seen = found.map(({ what }) => what).join('; ')
    return fail(`Expected a 4xx: ${seen}`, { sent: first.sent })
  }
  const { tenant, body } = await untold(scene)
  await acceptsGenuine(scene, tenant, body)
  return pass('Rejected, and the genuine webhook after it was accepted')
}

const BURST = 20

export async function burst(scene: Scene): Promise<Verdict> {
  const tenants = await scene.platform.tenants(BURST)
  const made = await Promise.all(tenants.map((tenant) => scene.platform.install(tenant)))
  const late = made.flatMap(({ delivery }) => lateness(delivery) ?? [])
  const slowest = Math.max(...made.map(({ delivery }) => attemptOf(delivery)?.duration ?? 0))
  if (late.length === 0) return pass(`${BURST} installs at once, the slowest acknowledged after ${slowest} ms`)
  return fail(`${late.length} of ${BURST} simultaneous webhooks failed; the first ${late[0]}`, { late: true })
}
