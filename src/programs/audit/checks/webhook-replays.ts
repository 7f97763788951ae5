import type { WireExchange } from '../../../control/client/wire.js'
import { attemptOf, idsOf, type Tenant } from '../actors/platform.js'
import type { Scene } from '../scene.js'
import { counted, fail, Inconclusive, pass, type Verdict } from '../verdict.js'
import { acceptsGenuine, installed, isServed, refusesForgeries, untold } from './genuine.js'
import { isOk, probe, probeOk, saidBy } from './probes.js'

/** The app has refreshed its token, as it does when the first one has expired. @throws Inconclusive when it does not. */
async function refreshed(scene: Scene, tenant: Tenant): Promise<void> {
  await scene.platform.expire(tenant)
  await probeOk(scene, tenant, 'after the access token has expired')
}

/** Whether the app still uses its newest credentials: a probe works without a 401 and without a refresh. */
async function keepsCredentials(
  scene: Scene,
  tenant: Tenant,
  sent: WireExchange | undefined,
  what: string,
): Promise<Verdict> {
  await scene.wait(scene.file.background)
  const mark = await scene.platform.mark()
  const probed = await probe(scene, tenant)
  const { api, refreshes } = await scene.platform.requests(tenant, mark)
  const entries = idsOf(api, refreshes)
  const refused = api.filter(({ status }) => status === 401)
  if (refused.length > 0 || refreshes.length > 0) {
    const seen = `next probe: ${counted(refused.length, '/v0 request')} with a 401, ${counted(refreshes.length, 'refresh', 'refreshes')}`
    return fail(`After ${what}, the app used credentials that it had already replaced`, { sent, seen, entries })
  }
  if (isOk(scene, probed)) return pass('The app kept the newest credentials')
  return fail(`After ${what}, the app no longer serves the organization: ${saidBy(probed)}`, { sent: probed, entries })
}

export async function duplicate(scene: Scene): Promise<Verdict> {
  const tenant = await scene.platform.tenant()
  await scene.platform.fault(tenant.slug, { match: { surface: 'webhook' }, effect: 'lose_ack', times: 1 })
  const { delivery } = await scene.platform.install(tenant)
  if (!delivery) throw new Inconclusive('no webhook was sent')
  await probeOk(scene, tenant, 'after an install')
  await refreshed(scene, tenant)
  const again = attemptOf(await scene.platform.admin.redeliver(delivery.id))
  if (again?.error !== null) return fail(`The app did not acknowledge the same event a second time: ${again?.error}`)
  await refusesForgeries(scene)
  return keepsCredentials(scene, tenant, undefined, 'the same event was delivered again')
}

export async function replayed(scene: Scene): Promise<Verdict> {
  const { tenant, body } = await untold(scene)
  await acceptsGenuine(scene, tenant, body)
  await refreshed(scene, tenant)
  await refusesForgeries(scene)
  const sent = await scene.attacker.post({ body, signature: scene.platform.sign(body) })
  return keepsCredentials(scene, tenant, sent, 'a replay with another idempotency key')
}

export async function staleInstall(scene: Scene): Promise<Verdict> {
  await refusesForgeries(scene)
  const gone = await afterUninstall(scene)
  return gone.outcome === 'pass' ? afterUpgrade(scene) : gone
}

async function afterUninstall(scene: Scene): Promise<Verdict> {
  const { tenant, made, body } = await untold(scene)
  const key = `evt_${made.installation.id}`
  const signature = scene.platform.sign(body)
  await scene.attacker.post({ body, signature, key })
  await probeOk(scene, tenant, 'after an install')
  await scene.platform.uninstall(made.installation.id)
  if (await isServed(scene, tenant)) throw new Inconclusive('the app still serves the organization after the uninstall')
  const sent = await scene.attacker.post({ body, signature, key })
  await scene.attacker.post({ body, signature })
  return staysGone(scene, tenant, sent, 'an old app.installed, sent again after the uninstall,')
}

async function afterUpgrade(scene: Scene): Promise<Verdict> {
  const { tenant, made, body } = await untold(scene)
  await acceptsGenuine(scene, tenant, body)
  await scene.platform.upgrade(made.installation.id)
  await probeOk(scene, tenant, 'after an upgrade')
  const sent = await scene.attacker.post({ body, signature: scene.platform.sign(body) })
  return keepsCredentials(scene, tenant, sent, "the old version's app.installed was sent again")
}

/** Whether an organization that has been purged stays so. */
async function staysGone(scene: Scene, tenant: Tenant, sent: WireExchange | undefined, what: string): Promise<Verdict> {
  const mark = await scene.platform.mark()
  await scene.wait(scene.file.background)
  const back = await isServed(scene, tenant)
  const { api, refreshes } = await scene.platform.requests(tenant, mark)
  const entries = idsOf(api, refreshes)
  if (!back && entries.length === 0) return pass('The organization stayed uninstalled')
  const seen = back
    ? `the probe works: ${saidBy(back)}`
    : `${counted(api.length, '/v0 request')} and ${counted(refreshes.length, 'refresh', 'refreshes')} with revoked tokens`
  return fail(`${what[0]?.toUpperCase()}${what.slice(1)} brought the organization back`, { sent, seen, entries })
}

export async function order(scene: Scene): Promise<Verdict> {
  await refusesForgeries(scene)
  // Its twin: in the right order the same two leave an organization that is served, and then one that is not.
  const twin = await installed(scene)
  await probeOk(scene, twin.tenant, 'after an install')

  const tenant = await scene.platform.tenant()
  await scene.platform.fault(tenant.slug, {
    match: { surface: 'webhook', event: 'app.installed' },
    effect: 'drop',
    times: 1,
  })
  const made = await scene.platform.install(tenant)
  await scene.platform.uninstall(made.installation.id)
  if (!made.delivery) throw new Inconclusive('no webhook was sent')
  await scene.platform.admin.redeliver(made.delivery.id)
  return staysGone(scene, tenant, undefined, 'an app.installed that arrived after its app.uninstalled')
}
