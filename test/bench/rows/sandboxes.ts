import { createClient, medianTime } from '../client.js'
import { atMost, figureOf } from '../figures.js'
import type { Measurement } from '../measurement.js'
import { json, worldWithApp } from '../worlds.js'
import { compare } from './compare.js'

/** Nothing listens there, so that the webhook of each installation is refused at once. */
const NOWHERE = 'http://127.0.0.1:9/'
const FIRST = 'the first'
const THOUSANDTH = 'the thousandth'

/** `POST /_admin/sandboxes` and `DELETE /_admin/sandboxes/{id}`, beside none and beside 999 others. */
export const sandboxes: Measurement[] = (['make', 'end'] as const).map((act) => ({
  id: `sandboxes/${act}`,
  async measure(bench) {
    const worlds = await bench.once('sandboxes', async () => {
      const [none, many] = await Promise.all([
        bench.startWith(worldWithApp(NOWHERE)),
        bench.startWith(worldWithApp(NOWHERE)),
      ])
      const client = createClient(many.url)
      for (let number = 1; number < 1000; number++) await make(client)
      client.close()
      return { [FIRST]: none.url, [THOUSANDTH]: many.url }
    })
    const clients = Object.entries(worlds).map(([name, url]) => ({ name, client: createClient(url) }))
    const contenders = clients.map(({ name, client }) => ({
      name,
      async once() {
        const times = bench.times(100, 40)
        let id = ''
        const begin = async () => {
          id = await make(client)
        }
        const end = () => client.send(`/_admin/sandboxes/${id}`, { method: 'DELETE' })
        if (act === 'make') return await medianTime(times, begin, end)
        await begin()
        const duration = await medianTime(times, end, begin)
        await end()
        return duration
      },
    }))
    const id = `sandboxes/${act}`
    const row = await compare(bench, { id, unit: 'ms', rounds: bench.times(9, 5), reference: FIRST, contenders })
    for (const { client } of clients) client.close()
    return {
      title: act === 'make' ? 'POST /_admin/sandboxes, the app installed' : 'DELETE of a sandbox',
      ...row,
      goals: [atMost(1.2, figureOf(row.figures, THOUSANDTH).ratio as number, `${THOUSANDTH}: ratio`)],
    }
  },
}))

/** Makes a sandbox. @returns its id */
async function make(client: ReturnType<typeof createClient>): Promise<string> {
  const { text } = await client.send('/_admin/sandboxes', { method: 'POST', headers: json, body: '{}' })
  return JSON.parse(text).id
}
