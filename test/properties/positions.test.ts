import fc from 'fast-check'
import { type Emulator, startEmulator } from 'mockademy'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Send, senderTo } from '../harness/emulator-test.js'
import { propertyRuns } from '../harness/property-runs.js'

let emulator: Emulator
let send: Send

beforeAll(async () => {
  const courses = [{ id: 'course', name: 'Course', modules: [{ id: 'module', name: 'Module' }] }]
  const organizations = [{ slug: 'lab', api_key: 'key_lab', courses }]
  emulator = await startEmulator({
    fixtures: { organizations },
    seed: 'positions',
    now: '2026-01-01T00:00:00Z',
    pageSize: 3,
  })
  send = senderTo(emulator.url, 'key_lab')
})
afterAll(() => emulator.close())

const position = fc.oneof(fc.nat(12), fc.constant(undefined))
const step = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), position }),
  fc.record({ kind: fc.constant('move' as const), which: fc.nat(20), position: fc.nat(12) }),
  fc.record({ kind: fc.constant('delete' as const), which: fc.nat(20) }),
)

test('spec §2.1: positions after any creates, moves and deletes are those of a plain array, and lists miss none', {
  timeout: 5 * 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      await send('POST', '/_admin/reset')
      const order: string[] = []
      const created: string[] = []
      for (const it of steps) {
        if (it.kind === 'create') {
          const body = { module: 'module', name: 'x', type: 'TAG', position: it.position }
          const { id } = (await send('POST', '/v0/elements', body)).body.payload
          order.splice(it.position ?? order.length, 0, id)
          created.push(id)
          continue
        }
        const id = order[it.which % order.length]
        if (id === undefined) continue
        order.splice(order.indexOf(id), 1)
        if (it.kind === 'move') {
          order.splice(it.position, 0, id)
          await send('PATCH', `/v0/elements/${id}`, { position: it.position })
        } else await send('DELETE', `/v0/elements/${id}`)
      }
      const listed: { id: string; position: number }[] = []
      let query = ''
      do {
        const { data, next } = (await send('GET', `/v0/elements${query}`)).body.payload
        listed.push(...data)
        query = next && `?page=${next}`
      } while (query)
      expect(listed.map(({ id }) => id)).toEqual(created.filter((id) => order.includes(id)).reverse())
      expect(listed.map(({ id, position }) => [id, position])).toEqual(listed.map(({ id }) => [id, order.indexOf(id)]))
    }),
    propertyRuns(150),
  )
})
