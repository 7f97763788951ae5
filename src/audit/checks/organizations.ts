import type { WireExchange } from '../../client/wire.js'
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

/** Two organizations at once: one is refused by the platform, the other must not notice, and neither see the other's. */
export async function tenants(scene: Scene): Promise<Verdict> {
  const [refused, served] = (await scene.platform.tenants(2)) as [Tenant, Tenant]
  await Promise.all([refused, served].map((tenant) => scene.platform.install(tenant)))
  await probeOk(scene, served, 'after an install')
  const fault = await scene.platform.fault(refused.slug, { match: { surface: 'api' }, effect: 'insufficient_scope' })
  const probed = await Promise.all(
    Array.from({ length: 2 * ROUNDS }, async (_, index) => {
      const tenant = index % 2 === 0 ? refused : served
      return { tenant, sent: await probe(scene, tenant) }
    }),
  )
  await fault.lift()
  for (const { tenant, sent } of probed) {
    const other = tenant === refused ? served : refused
    if (sent.answer.body.includes(other.marker)) {
      return fail('The probe of one organization showed a course of the other', {
        sent,
        seen: `"${other.marker}" in the response`,
      })
    }
    if (tenant === refused && isOk(scene, sent)) {
      return fail("The platform rejected the token of one organization, but its probe worked with the other's token", {
        sent,
      })
    }
    if (tenant === served && !isOk(scene, sent)) {
      const seen = `${saidBy(sent)} while the platform rejected only the other organization's token`
      return fail('The probe of one organization failed because the token of the other was rejected', { sent, seen })
    }
  }
  await probeOk(scene, refused, 'once its token is accepted again')
  return pass(`${2 * ROUNDS} interleaved probes, each with the token of its own organization`)
}
