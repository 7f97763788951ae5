import { describe, expect } from 'vitest'
import { test } from '../harness/webhook-test.js'

const span = { trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', span_id: '00f067aa0ba902b7' }
const held = (effect: unknown, fault: unknown = 'flt_1') => ({ effect, fault })

/** A delivery with that value at that path. */
function changed(delivery: object, path: string, value: unknown): object {
  const copy = structuredClone(delivery)
  const names = path.split('.')
  const last = names.pop() as string
  // biome-ignore lint/suspicious/noExplicitAny: a path of a record
  const target = names.reduce((at: any, name) => at[name], copy)
  target[last] = value
  return copy
}

describe('fixtures: deliveries', () => {
  test('are checked field by field, and every state is one', async ({ app, install, call }) => {
    app.handles((_, response) => void response.writeHead(500, { 'x-app': 'notes' }).end('no'))
    await install()
    const { body: state } = await call('/_admin/state')
    const whole = { ...state.deliveries[0], cause: span, held: held('delay'), liberties: ['later'] }
    const put = (delivery: object) =>
      call('/_admin/state', { method: 'PUT', body: { ...state, deliveries: [delivery] } })

    for (const [path, value] of [
      ['due_at', null],
      ['held', held('reorder')],
      ['held', null],
      ['liberties', undefined],
      ['cause', undefined],
      ['attempts.0.response.length', undefined],
      ['attempts.0.response', null],
      ['attempts.0.status', null],
      ['attempts.0.error', null],
      ['attempts.0.fault', 'flt_1'],
      ['attempts.0.request.body', '{}'],
      ['ended_at', '2026-01-01T00:00:00.000Z'],
      ...['pending', 'acknowledged', 'retrying', 'failed', 'dropped'].map((name) => ['state', name]),
    ] as const) {
      const delivery = changed(whole, path as string, value)
      expect(await put(delivery)).toMatchObject({ status: 200 })
      expect((await call('/_admin/state')).body.deliveries).toEqual([JSON.parse(JSON.stringify(delivery))])
    }

    const noNumbers = [
      'event',
      'event.id',
      'event.type',
      'app',
      'installation',
      'organization',
      'url',
      'body',
      'attempts.0.request',
      'attempts.0.response',
    ]
    const bad: [path: string, value: unknown][] = [
      ...noNumbers.map((path): [string, number] => [path, 7]),
      ['liberties.0', 7],
      ['state', 'lost'],
      ['due_at', 'soon'],
      ['ended_at', 7],
      ['tries', 1.5],
      ['held.effect', 'drop'],
      ['held.fault', 7],
      ['attempts.0.at', 'soon'],
      ['attempts.0.status', 1.5],
      ['attempts.0.duration', '1'],
      ['attempts.0.error', 7],
      ['attempts.0.fault', 7],
      ['attempts.0.request.headers.content-type', 7],
      ['attempts.0.request.body', 7],
      ['attempts.0.response.headers.x-app', 7],
      ['attempts.0.response.body', 7],
      ['attempts.0.response.length', 1.5],
      ['cause.trace_id', 7],
      ['cause.span_id', 7],
    ]
    const found: string[] = []
    for (const [path, value] of bad) {
      const { status, body } = await put(changed(whole, path, value))
      found.push(`${status} ${body.errors?.map(({ path }: { path: string }) => path)}`)
    }
    expect(found).toEqual(bad.map(([path]) => `400 deliveries.0.${path}`))
  })
})
