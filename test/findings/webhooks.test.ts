import { describe, expect } from 'vitest'
import { send } from '../harness/emulator-test.js'
import { test as base } from '../harness/webhook-test.js'
import { expectOne, withFindings } from './findings-test.js'

const test = withFindings(base)
const notes = { app: 'notes', organization: 'acme' }

/** An app that verifies, answers at once, and tells a duplicate by the event's id. */
test.beforeEach(({ app }) => {
  app.handles((received, response) => void response.writeHead(received.isSignedWith('notes_signing') ? 200 : 401).end())
})

const forgeries = [
  'bad_signature',
  'short_signature',
  'no_signature',
  'stale_signature',
  'altered_body',
  'reserialised',
]

describe('unverified_signature', () => {
  test.for(forgeries)('is found when %s is answered 2xx', async (effect, { app, install, fault, found, newest }) => {
    app.answers(204)
    await fault(effect)
    await install()
    const entries = [await newest()]
    const says = /The app responded with 204 to a webhook whose signature does not match its body\..*HMAC-SHA256/
    expectOne(await found(), {
      ...notes,
      rule: 'unverified_signature',
      level: 'error',
      section: 'spec: §5.2.8',
      count: 1,
      entries,
      says,
    })
  })

  test.for(forgeries)('is not found when %s is refused', async (effect, { install, fault, found }) => {
    await fault(effect)
    await install()
    expect(await found()).toEqual([])
  })

  test.for(['duplicate', 'lose_ack', 'replay', 'truncate'])(
    'is not found for %s',
    async (effect, { install, fault, found, later }) => {
      await fault(effect)
      await install()
      await later('10s')
      expect(await found()).toEqual([])
    },
  )
})

describe('rejected_valid_event', () => {
  test('is found when a genuine event is answered 4xx', async ({ app, install, found, newest }) => {
    app.answers(401)
    await install()
    const entries = [await newest()]
    const says =
      /A genuine app\.installed was rejected: the app responded with 401; .*signing secret that ends in ning.*Return 200 for every event/
    expectOne(await found(), {
      ...notes,
      rule: 'rejected_valid_event',
      level: 'error',
      section: 'spec: §6.5',
      count: 1,
      entries,
      says,
    })
  })

  test('says that the route may be missing when it is answered 404', async ({ app, install, found }) => {
    app.answers(404)
    await install()
    expectOne(await found(), {
      rule: 'rejected_valid_event',
      count: 1,
      says: /has no route POST \/webhook: correct the path or the port in webhook\.url\. An app that rejects/,
    })
  })

  test('is not found for a server that is down, or for what no platform sends', async ({
    app,
    install,
    fault,
    found,
    later,
  }) => {
    app.answers(503)
    await install()
    await later('10s')
    app.answers(400)
    await fault({ body: 'not JSON' }, { match: { surface: 'webhook', event: 'app.installed' } })
    await later('100s')
    expect(await found()).toEqual([])
  })
})

describe('under an injected fault', () => {
  test.override({ settings: { ackWindow: '3s' } })

  test.for(['duplicate', 'duplicate_at_once', 'lose_ack'])(
    '%s: the rejection of the second copy is a finding, since the event is genuine',
    async (effect, { app, install, fault, found, later }) => {
      app.handles((_, response) => void response.writeHead(app.received().length > 1 ? 409 : 200).end())
      await fault(effect, { times: 1 })
      await install()
      await later('10s')
      expect(app.received()).toHaveLength(2)
      expectOne(await found(), { ...notes, rule: 'rejected_valid_event', count: 1, says: /the app responded with 409/ })
    },
  )

  test('a rejection of what the platform would not send is no finding', async ({ app, install, fault, found }) => {
    app.answers(400)
    await fault('replay')
    await install()
    expect(await found()).toEqual([])
  })

  test('a slow acknowledgement is no finding', async ({ app, install, fault, found, pass }) => {
    app.handles((_, response) => {
      pass(2_000)
      response.writeHead(200).end()
    })
    await fault('duplicate')
    await install()
    expect(await found('slow_acknowledgement')).toEqual([])
  })
})

describe('slow_acknowledgement', () => {
  test.override({ settings: { ackWindow: '3s' } })

  test.for([
    [1_400, 0],
    [1_600, 1],
  ] as const)('after %i ms of 3 s: %i', async ([time, count], { app, install, found, newest, pass }) => {
    app.handles((_, response) => {
      pass(time)
      response.writeHead(200).end()
    })
    await install()
    const all = await found('slow_acknowledgement')
    expect(all).toHaveLength(count)
    if (count === 0) return
    const entries = [await newest()]
    expectOne(all, {
      ...notes,
      level: 'hint',
      section: 'spec: §6.2',
      count,
      entries,
      says: /app\.installed was acknowledged after more than half of its window; the window is 3 s\./,
    })
  })

  test('tells the real milliseconds where time passes', async ({ app, call, install, found, pass }) => {
    await call('/_admin/clock/resume', { method: 'POST' })
    app.handles((_, response) => {
      pass(1_600)
      response.writeHead(200).end()
    })
    await install()
    expect((await found('slow_acknowledgement'))[0]?.message).toMatch(/acknowledged after 1[6-9]\d\d ms; the window/)
  })
})

describe('slow_webhook_work', () => {
  test('is found for a call before the acknowledgement', async ({ app, emulator, install, call, found }) => {
    app.handles(async ({ body }, response) => {
      await send(`${emulator.url}/v0/elements`, { as: body.data.credentials.access_token })
      response.writeHead(200).end()
    })
    await install()
    const entries = (await call('/_admin/requests?surface=api')).body.data.map(({ id }: { id: number }) => id)
    expect(entries).toHaveLength(1)
    const says = /GET \/v0\/elements was sent before app\.installed was acknowledged/
    expectOne(await found('slow_webhook_work'), {
      ...notes,
      level: 'hint',
      section: 'spec: §6.4',
      count: 1,
      entries,
      says,
    })
  })

  test('is not found afterwards, nor when the first acknowledgement was lost', async ({
    install,
    fault,
    call,
    found,
  }) => {
    await fault('lose_ack')
    const { body } = await install()
    await call('/v0/elements', { as: body.credentials.access_token })
    expect(await found('slow_webhook_work')).toEqual([])
  })

  test('is not found for one that is late, once it was sent by hand and rejected', async ({
    app,
    install,
    fault,
    call,
    found,
  }) => {
    await fault({ delay: '1h' })
    const { body } = await install()
    app.answers(500)
    await call(`/_admin/deliveries/${body.delivery.id}/redeliver`, { method: 'POST' })
    await call('/v0/elements', { as: body.credentials.access_token })
    expect(await found('slow_webhook_work')).toEqual([])
  })
})
