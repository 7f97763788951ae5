import dns from 'node:dns'
import { createServer } from 'node:net'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { serve } from '../harness/serve.js'
import { test } from '../harness/webhook-test.js'

const REFUSED = expect.stringContaining('allow_public_webhooks')

describe('wire §7: who is called', () => {
  const refused = [
    'https://203.0.113.5/hook',
    'https://8.8.8.8/hook',
    'https://0.0.0.0/hook',
    'https://169.254.169.254/latest/meta-data',
    'https://172.32.0.1/hook',
    'https://192.169.0.1/hook',
    'https://100.64.0.1/hook',
    'https://[2001:db8::1]/hook',
    'https://[::]/hook',
    'https://[fe80::1]/hook',
    'https://[::ffff:203.0.113.5]/hook',
    'https://[::ffff:a9fe:a9fe]/hook',
    'https://3405803781/hook',
  ]
  for (const url of refused) {
    test(`${url} is not called: the delivery has failed at once, the installation has not`, async ({
      install,
      push,
      advance,
      deliveries,
    }) => {
      await push({ webhook: { url } })
      const { status, body } = await install()
      expect(status).toBe(201)
      expect(body.installation.state).toBe('installed')
      expect(body.redirect_url).not.toBeNull()
      expect(body.delivery).toMatchObject({
        state: 'failed',
        due_at: null,
        attempts: [{ status: null, error: REFUSED }],
      })
      await advance('1h')
      expect((await deliveries())[0].attempts).toHaveLength(1)
    })
  }

  test('the attempt says why, and what allows it', async ({ install, push }) => {
    await push({ webhook: { url: 'https://203.0.113.5/hook' } })
    const { delivery } = (await install()).body
    expect(delivery.attempts[0].error).toBe(
      '203.0.113.5 is neither a loopback nor a private address, so it was not called: list the host in trust_hosts, or set allow_public_webhooks',
    )
  })

  test('an uninstall from such an app completes', async ({ install, uninstall, push }) => {
    await push({ webhook: { url: 'https://203.0.113.5/hook' } })
    const { id } = (await install()).body.installation
    expect((await uninstall(id)).body).toMatchObject({
      installation: { state: 'uninstalled' },
      delivery: { state: 'failed' },
    })
  })

  for (const host of ['127.0.0.1', 'localhost', '127.8.9.10', '[::ffff:127.0.0.1]']) {
    test(`a loopback address is called: ${host}`, async ({ install, push, app }) => {
      const plain = host === 'localhost' || host === '127.0.0.1'
      await push({ webhook: { url: `${plain ? 'http' : 'https'}://${host}:${app.port}/hook` } })
      const { delivery } = (await install()).body
      expect(delivery.attempts[0].error).not.toEqual(REFUSED)
      expect(delivery.state).toBe(plain ? 'acknowledged' : 'retrying')
    })
  }

  test('a name that does not resolve is an error like any other', async ({ install, push }) => {
    await push({ webhook: { url: 'https://app.invalid/hook' } })
    expect((await install()).body.delivery.state).toBe('retrying')
  })

  describe('a name of several addresses', () => {
    /** Replaces the resolver: no name has several addresses on every machine. */
    const resolvesTo = (...addresses: string[]) => {
      const answer = (...[, , callback]: unknown[]) =>
        (callback as (error: null, all: object[]) => void)(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        )
      const resolver = vi.spyOn(dns, 'lookup').mockImplementation(answer as never)
      onTestFinished(() => resolver.mockRestore())
    }
    const nearby = ['10.0.0.1', '172.16.0.1', '172.31.255.254', '192.168.1.1', '::1', 'fc00::1', 'fd12::1%lo']
    const several = [
      ['127.0.0.1', 'fd00:ec2::254'],
      ['127.0.0.1', '203.0.113.5'],
      ['203.0.113.5', '127.0.0.1'],
      ['127.0.0.1', '::1', '2001:db8::1'],
    ]

    test.for(several)('%s, %s: is not called when one of them is public', async (addresses, { install, push, app }) => {
      await push({ webhook: { url: `https://several.test:${app.port}/hook` } })
      resolvesTo(...addresses)
      const { delivery } = (await install()).body
      const [foreign] = addresses.filter((address) => !['127.0.0.1', '::1'].includes(address))
      expect(delivery).toMatchObject({
        state: 'failed',
        attempts: [{ error: expect.stringContaining(`several.test (${foreign}) is neither`) }],
      })
    })

    test.for(nearby)('127.0.0.1, %s: is called, as both are nearby', async (address, { install, push, app }) => {
      await push({ webhook: { url: `http://localhost:${app.port}/hook` } })
      resolvesTo('127.0.0.1', address)
      expect((await install()).body.delivery.state).toBe('acknowledged')
    })

    describe('that is trusted', () => {
      test.override({ settings: { trustHosts: ['Several.test'] } })

      test.for(['several.test', 'SEVERAL.TEST', 'several.test.'])(
        '%s is called',
        async (host, { install, push, app }) => {
          await push({ webhook: { url: `https://${host}:${app.port}/hook` } })
          resolvesTo('127.0.0.1', '203.0.113.5')
          // The receiver knows no TLS, so the attempt fails, but it was made.
          expect((await install()).body.delivery.state).toBe('retrying')
        },
      )
    })

    test.for(several)('%s, %s: a scenario does not visit it either', async (addresses, { call, app }) => {
      resolvesTo(...addresses)
      const visit = { url: `http://several.test:${app.port}/` }
      const { body } = await call('/_admin/scenarios', { body: { steps: [{ visit, expect: { status: 200 } }] } })
      expect(body.passed).toBe(false)
      expect(JSON.stringify(body.steps[0].error)).toContain('is neither a loopback nor a private address')
      expect(app.received()).toEqual([])
    })
  })

  describe('with trust_hosts', () => {
    test.override({ settings: { trustHosts: ['0.0.0.0'] } })

    test('a trusted host is called whatever its address; another is not', async ({ install, push, app }) => {
      await push({ webhook: { url: `http://0.0.0.0:${app.port}/hook` } })
      expect((await install()).body.delivery.state).toBe('acknowledged')
      await push({ webhook: { url: 'https://203.0.113.5/hook' } })
      expect((await install({ organization: 'zenith' })).body.delivery.state).toBe('failed')
    })
  })

  describe('with allow_public_webhooks', () => {
    test.override({ settings: { allowPublicWebhooks: true, ackWindow: '50ms' } })

    test('any address is called', async ({ install, push }) => {
      await push({ webhook: { url: 'https://[2001:db8::1]:9/hook' } })
      const { delivery } = (await install()).body
      expect(delivery.state).toBe('retrying')
      expect(delivery.attempts[0].error).not.toEqual(REFUSED)
    })
  })
})

describe('wire §7: an attempt', () => {
  test('a redirect is not followed', async ({ install, app }) => {
    app.answers(307, { location: `http://127.0.0.1:${app.port}/elsewhere` })
    const { delivery } = (await install()).body
    expect(delivery).toMatchObject({ state: 'retrying', attempts: [{ status: 307 }] })
    expect(app.received().map(({ path }) => path)).toEqual(['/webhook'])
  })

  describe('with a window that no machine is too slow for', () => {
    test.override({ settings: { ackWindow: '2m', attemptTimeout: '2m' } })

    test('at most 1 MB of an endless answer is read; its status counts', async ({ install, app }) => {
      let sent = 0
      const closed = new Promise<void>((resolve) => {
        app.handles((_, response) => {
          response.writeHead(200)
          response.on('close', resolve)
          const chunk = Buffer.alloc(64 * 1024)
          const more = () => {
            while (!response.destroyed && response.write(chunk)) sent += chunk.length
            if (!response.destroyed) response.once('drain', more)
          }
          more()
        })
      })
      const started = performance.now()
      const { delivery } = (await install()).body
      expect(performance.now() - started).toBeLessThan(60_000)
      expect(delivery).toMatchObject({ state: 'acknowledged', attempts: [{ status: 200 }] })
      await closed
      expect(sent).toBeLessThan(16 * 1024 * 1024)
    })
  })

  describe('with a short window', () => {
    test.override({ settings: { ackWindow: '400ms', attemptTimeout: '2m' } })

    test('an answer that drips does not hold the install up beyond the window', async ({ install, push }) => {
      const dripping = createServer((socket) => {
        socket.on('error', () => {})
        const head = [...'HTTP/1.1 200 OK\r\nx-drip: ']
        const drip = setInterval(() => socket.write(head.shift() ?? 'y'), 5)
        socket.on('close', () => clearInterval(drip))
      })
      const { url } = await serve(dripping)
      await push({ webhook: { url: `${url}/` } })
      const started = performance.now()
      const { installation, delivery } = (await install()).body
      expect(performance.now() - started).toBeLessThan(60_000)
      expect(installation.state).toBe('installed')
      expect(delivery).toMatchObject({ state: 'retrying', attempts: [{ status: null }] })
    })
  })

  describe('with a window in which every machine responds', () => {
    test.override({ settings: { ackWindow: '2s' } })

    test('when its status was there in time, the rest is cut off', async ({ install, app }) => {
      app.handles((_, response) => {
        response.writeHead(200)
        const drip = setInterval(() => response.write('y'), 5)
        response.on('close', () => clearInterval(drip))
      })
      const { delivery } = (await install()).body
      expect(delivery).toMatchObject({ state: 'acknowledged', attempts: [{ status: 200 }] })
    })
  })

  test('an answer that is not HTTP is a failed attempt', async ({ install, app }) => {
    app.handles((_, response) => void response.socket?.end('hello\r\n\r\n'))
    expect((await install()).body.delivery.state).toBe('retrying')
  })
})
