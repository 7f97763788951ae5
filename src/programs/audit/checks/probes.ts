import type { WireExchange } from '../../../control/client/wire.js'
import type { PresentedEntry, Tenant } from '../actors/platform.js'
import type { Scene } from '../scene.js'
import { Inconclusive } from '../verdict.js'

/** Longer than the 30 s that an app has to answer in whatever the platform does. audit: `api.outage` */
const PATIENCE = 35_000

type Expected = { status: number | number[] }

export const answersAs = ({ status }: WireExchange, expected: Expected | undefined): boolean =>
  expected !== undefined && status !== null && [expected.status].flat().includes(status)

/** What an app answered, in a few words. */
export const saidBy = ({ status, error }: WireExchange): string => error ?? `status ${status}`

/** Makes the app call `/v0` for an organization. Only for checks that need `probe`. */
export function probe(scene: Scene, { slug }: Tenant): Promise<WireExchange> {
  const { url = '', headers = {} } = scene.file.probe ?? {}
  return scene.browser().get(url.replaceAll('{organization}', encodeURIComponent(slug)), headers, PATIENCE)
}

export const isOk = ({ file }: Scene, exchange: WireExchange): boolean => answersAs(exchange, file.probe?.ok)

/** The positive twin of most checks of the API. @throws Inconclusive when the app does not serve the organization. */
export async function probeOk(scene: Scene, tenant: Tenant, when: string): Promise<WireExchange> {
  const exchange = await probe(scene, tenant)
  if (isOk(scene, exchange)) return exchange
  throw new Inconclusive(`the probe does not work ${when}: ${saidBy(exchange)}`, { sent: exchange })
}

/** @throws Inconclusive when the probe calls no `/v0` at all: then nothing can be seen of its tokens. */
export function mustCall(api: PresentedEntry[]): void {
  if (api.length === 0) throw new Inconclusive('the probe did not make the app call /v0; point it to a page that does')
}
