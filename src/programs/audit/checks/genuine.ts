import type { WireExchange } from '../../../control/client/wire.js'
import { attemptOf, type Platform, type Tenant } from '../actors/platform.js'
import type { Scene } from '../scene.js'
import { Inconclusive } from '../verdict.js'
import { isOk, probe, probeOk, saidBy } from './probes.js'

export type Installed = Awaited<ReturnType<Platform['install']>>

export const isAccepted = ({ status }: WireExchange): boolean => status !== null && status >= 200 && status < 300

/** An installation that the platform told the app of. @throws Inconclusive when the app did not acknowledge. */
export async function installed(scene: Scene): Promise<{ tenant: Tenant; made: Installed }> {
  const tenant = await scene.platform.tenant()
  const made = await scene.platform.install(tenant)
  if (made.delivery && made.delivery.state !== 'acknowledged') {
    throw new Inconclusive(`the app did not acknowledge app.installed: ${attemptOf(made.delivery)?.error}`)
  }
  return { tenant, made }
}

/** The same, with an app that has shown that it serves the organization. */
export async function served(scene: Scene): Promise<{ tenant: Tenant; made: Installed }> {
  const done = await installed(scene)
  await probeOk(scene, done.tenant, 'after an install')
  return done
}

/** An installation that the app has not been told of, with the text of the webhook that would tell it. */
export async function untold(scene: Scene) {
  const tenant = await scene.platform.tenant()
  const made = await scene.platform.install(tenant, false)
  const envelope = scene.platform.envelope(tenant, made)
  return { tenant, made, envelope, body: JSON.stringify(envelope) }
}

/** @throws Inconclusive when the app does not accept a genuine webhook, or it has no effect. */
export async function acceptsGenuine(scene: Scene, tenant: Tenant, body: string): Promise<WireExchange> {
  const exchange = await scene.attacker.post({ body, signature: scene.platform.sign(body) })
  if (!isAccepted(exchange)) {
    throw new Inconclusive(`the app did not accept the genuine webhook: ${saidBy(exchange)}`, {
      sent: exchange,
    })
  }
  if (scene.file.probe) await probeOk(scene, tenant, 'after the genuine webhook')
  return exchange
}

/**
 * The negative twin of checks that want a 2xx: what accepts everything has shown nothing. Found out once in a run.
 * @throws Inconclusive when the app accepts forgeries too.
 */
export async function refusesForgeries(scene: Scene): Promise<void> {
  const refused = await scene.once('refuses forgeries', async () => {
    const { body } = await untold(scene)
    const exchanges = [
      await scene.attacker.post({ body }),
      await scene.attacker.post({ body, signature: scene.platform.sign(body, 'the secret of somebody else') }),
    ]
    return exchanges.some(({ status }) => status !== null && status >= 400 && status < 500)
  })
  if (!refused) {
    throw new Inconclusive(
      'the app does not reject forged webhooks with a 4xx, so accepting a genuine one proves nothing',
    )
  }
}

/** Whether an organization that should not be served is served all the same. Without a `probe` nobody can tell. */
export async function isServed(scene: Scene, tenant: Tenant): Promise<WireExchange | undefined> {
  if (!scene.file.probe) return undefined
  const exchange = await probe(scene, tenant)
  return isOk(scene, exchange) ? exchange : undefined
}
