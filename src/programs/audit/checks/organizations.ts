import type { WireExchange } from '../../../control/client/wire.js'
import type { Tenant } from '../actors/platform.js'
import { valueAt } from '../pointer.js'
import type { Scene } from '../scene.js'
import { fail, Inconclusive, pass, type Verdict } from '../verdict.js'
import { isOk, probe, probeOk, saidBy } from './probes.js'

const MANY = 137

/** How many elements the app lists for an organization. */
async function countFor(scene: Scene, { slug }: Tenant): Promise<{ count: number; sent: WireExchange }> {
  const { url = '', count = '', headers } = scene.file.list ?? {}
  const sent = await scene.browser().get(url.replaceAll('{organization}', encodeURIComponent(slug)), headers)
  const value = valueAt(sent.answer.body, count)
  const found = Array.isArray(value) ? value.length : value
  if (typeof found === 'number') return { count: found, sent }
  throw new Inconclusive(
    `list.count ${JSON.stringify(count)} does not point to a number or an array in the response (${saidBy(sent)})`,
    { sent },
  )
}

export async function pages(scene: Scene): Promise<Verdict> {
  const [few, many] = [await scene.platform.tenant(3), await scene.platform.tenant(MANY)]
  await Promise.all([few, many].map((tenant) => scene.platform.install(tenant)))
  const short = await countFor(scene, few)
  if (short.count !== 3) {
    throw new Inconclusive(`the list shows ${short.count} of 3 elements`, { sent: short.sent })
  }
  const { count, sent } = await countFor(scene, many)
  if (count === MANY) return pass(`Listed all ${MANY} elements of three pages`)
  return fail(`The app lists ${count} of ${MANY} elements`, { sent })
}

const ROUNDS = 10

/**
 * One organization among others that the platform refuses: it must not notice, and none may see what another has. Each of
 * the refused is probed once, so that its token meets one 403: an app that tells every caller of it has not retried in vain.
 */
export async function tenants(scene: Scene): Promise<Verdict> {
  const [served, ...refused] = (await scene.platform.tenants(1 + ROUNDS)) as [Tenant, ...Tenant[]]
  await Promise.all([served, ...refused].map((tenant) => scene.platform.install(tenant)))
  await probeOk(scene, served, 'after an install')
  const faults = await Promise.all(
    refused.map(({ slug }) => scene.platform.fault(slug, { match: { surface: 'api' }, effect: 'insufficient_scope' })),
  )
  const probed = await Promise.all(
    refused.flatMap((tenant) => [tenant, served]).map(async (tenant) => ({ tenant, sent: await probe(scene, tenant) })),
  )
  await Promise.all(faults.map((fault) => fault.lift()))
  for (const { tenant, sent } of probed) {
    const other = [served, ...refused].find((each) => each !== tenant && sent.answer.body.includes(each.marker))
    if (other) {
      return fail('The probe of one organization showed a course of another', {
        sent,
        seen: `"${other.marker}" in the response`,
      })
    }
    if (tenant !== served && isOk(scene, sent)) {
      return fail("The platform rejected the token of one organization, but its probe worked with another's token", {
        sent,
      })
    }
    if (tenant === served && !isOk(scene, sent)) {
      const seen = `${saidBy(sent)} while the platform rejected only the tokens of other organizations`
      return fail('The probe of one organization failed because the token of another was rejected', { sent, seen })
    }
  }
  await probeOk(scene, refused[0] as Tenant, 'once its token is accepted again')
  return pass(`${2 * ROUNDS} interleaved probes, each with the token of its own organization`)
}
