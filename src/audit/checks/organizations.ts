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
  throw new Inconclusive(`list.count ${JSON.stringify(count)} is no number in the answer (${saidBy(sent)})`, { sent })
}

export async function pages(scene: Scene): Promise<Verdict> {
  const [few, many] = [await scene.platform.tenant(3), await scene.platform.tenant(MANY)]
  await Promise.all([few, many].map((tenant) => scene.platform.install(tenant)))
  const short = await countFor(scene, few)
  if (short.count !== 3) {
    throw new Inconclusive(`of 3 elements the list shows ${short.count}`, { sent: short.sent })
  }
  const { count, sent } = await countFor(scene, many)
  if (count === MANY) return pass(`All ${MANY} elements of three pages`)
  return fail(`Of ${MANY} elements the app sees ${count}`, { sent, seen: `${count} elements` })
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
      return fail("One organization's probe showed the other's course", {
        sent,
        seen: `"${other.marker}" in the answer`,
      })
    }
    if (tenant === refused && isOk(scene, sent)) {
      return fail("The platform refused one organization's token, and its probe worked: with the other's", { sent })
    }
    if (tenant === served && !isOk(scene, sent)) {
      const seen = `${saidBy(sent)} while only the other organization's token was refused`
      return fail("One organization's probe failed with what was refused to the other's token", { sent, seen })
    }
  }
  await probeOk(scene, refused, 'when its token is no longer refused')
  return pass(`${2 * ROUNDS} interleaved probes, each with its own organization's token`)
}
