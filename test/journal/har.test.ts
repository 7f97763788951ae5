import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test as commandLine } from '../harness/command-line.js'
import { send } from '../harness/emulator-test.js'
import { test } from '../harness/webhook-test.js'

describe('coverage: HAR', () => {
  test('an archive has the exchanges of the list, webhooks too, without secrets', async ({
    call,
    install,
    app,
    emulator,
  }) => {
    app.handles((_, response) => void response.writeHead(201, { 'content-type': 'text/plain' }).end('thanks'))
    await install()
    await call('/v0/courses?limit=1', { as: 'key_acme' })
    await call('/oauth/token', { form: { grant_type: 'refresh_token', refresh_token: 'rt_very_secret' } })
    const { status, body } = await call('/_admin/requests?format=har')
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('data')
    const { log } = body
    expect(log).toMatchObject({ version: '1.2', creator: { name: 'mockademy' }, pages: [] })
    const list = (await call('/_admin/requests')).body.data
    expect(log.entries.map(({ _entry }: { _entry: number }) => _entry)).toEqual(
      list.map(({ id }: { id: number }) => id),
    )
    const [webhook, read, token] = log.entries
    expect(webhook).toMatchObject({
      request: { method: 'POST', url: app.url, postData: { mimeType: 'application/json' } },
      response: { status: 201, content: { size: 6, mimeType: 'text/plain', text: 'thanks' }, redirectURL: '' },
    })
    expect(JSON.parse(webhook.request.postData.text).data.credentials.access_token).toBe('[redacted]')
    expect(read).toMatchObject({
      startedDateTime: list[1].at,
      time: list[1].duration,
      request: { url: `${emulator.url}/v0/courses?limit=1`, queryString: [{ name: 'limit', value: '1' }], bodySize: 0 },
      cache: {},
      timings: { send: 0, receive: 0 },
    })
    expect(read.request).not.toHaveProperty('postData')
    expect(read.request.headers).toContainEqual({ name: 'authorization', value: '[redacted]' })
    expect(token.request.postData.text).toBe('grant_type=refresh_token&refresh_token=%5Bredacted%5D')
    expect(token._reason).toBe(list[2].reason)
    expect(JSON.stringify(body)).not.toContain('rt_very_secret')
    await call('/v0/courses?a=1&a=2&b=%zz&c=key%5Facme&token=x', { as: 'key_acme' })
    const [{ request }] = (await call('/_admin/requests?format=har')).body.log.entries.slice(-1)
    expect(request.url).toBe(`${emulator.url}/v0/courses?a=1&a=2&b=%zz&c=%5Bredacted%5D&token=%5Bredacted%5D`)
    expect(request.queryString.slice(0, 3)).toEqual([
      { name: 'a', value: '1' },
      { name: 'a', value: '2' },
      { name: 'b', value: '%zz' },
    ])
    await call('/settings/integrations')
    const [{ response }] = (await call('/_admin/requests?format=har')).body.log.entries.slice(-1)
    expect(response.redirectURL).toBe('/login?return_to=%2Fsettings%2Fintegrations')
  })

  test('the filters of the list are those of the archive', async ({ call }) => {
    await call('/v0/courses', { as: 'key_acme' })
    await call('/v0/members', { as: 'key_acme' })
    const { log } = (await call('/_admin/requests?format=har&path=/v0/members')).body
    expect(log.entries).toHaveLength(1)
  })

  test('the client has it too', async ({ call, emulator }) => {
    await call('/v0/courses', { as: 'key_acme' })
    expect(await emulator.admin.listRequests({ format: 'har' } as object)).toHaveProperty('log.entries.0')
  })

  test('marks are pages', async ({ call, emulator }) => {
    await call('/v0/courses', { as: 'key_acme' })
    await call('/_admin/marks', { body: { name: 'a test', kind: 'test', state: 'begin' } })
    await call('/v0/members', { as: 'key_acme' })
    await call('/_admin/clock/advance', { body: { by: '1m' } })
    await call('/v0/members', { as: 'key_acme' })
    const { log } = (await call('/_admin/requests?format=har')).body
    const { startedDateTime } = log.entries[1]
    expect(log.pages).toEqual([{ startedDateTime, id: 'a test', title: 'a test', pageTimings: {} }])
    expect(log.entries.at(0)).not.toHaveProperty('pageref')
    expect(log.entries.at(-1)).toMatchObject({ pageref: 'a test', request: { url: `${emulator.url}/v0/members` } })
  })

  test('webhooks have the scheme of their receiver', async ({ call, push, install, app }) => {
    const url = app.url.replace('http:', 'https:')
    await push({ webhook: { url } })
    await install()
    const { log } = (await call('/_admin/requests?format=har')).body
    expect(log.entries).toMatchObject([{ request: { url } }])
  })

  test('another format is refused', async ({ call }) => {
    const { status, body } = await call('/_admin/requests?format=pcap')
    expect(status).toBe(400)
    expect(body.errors[0].path).toBe('format')
  })

  commandLine('requests --har writes a file and prints the list', async ({ start, run, folder }) => {
    const { url } = await start(['--port', '0', '--store', 'memory'])
    await send(`${url}/v0/courses`, { as: 'nobody' })
    const { status, stdout } = await run(['requests', '--url', url, '--har', 'new/calls.har'])
    expect(status).toBe(0)
    expect(stdout).toContain('/v0/courses')
    const { log } = JSON.parse(await readFile(join(folder, 'new/calls.har'), 'utf8'))
    expect(log.entries).toMatchObject([
      { request: { method: 'GET', url: `${url}/v0/courses` }, response: { status: 401 } },
    ])
    const refused = await run(['requests', '--url', url, '--har', 'new/calls.har/more.har'])
    expect(refused.status).toBe(2)
    expect(refused.stderr).toContain('calls.har/more.har cannot be written: new/calls.har is not a folder')
  })
})
