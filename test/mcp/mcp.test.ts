import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { cleanEnvironment, ROOT } from '../harness/command-line.js'
import { oneEmulatorTest } from '../harness/emulator-test.js'
import { schemaValidator } from '../harness/schema-validator.js'
import { serve } from '../harness/serve.js'

const BIN = join(ROOT, 'bin', 'mockademy.js')

interface Fixtures {
  /** A client of one server for the file, with a tool for each call: each start takes a fifth of a second. */
  client: Client
  /** Calls a tool. @returns its text, and the JSON in it where it is no error. */
  tool: ReturnType<typeof toolsOf>
}

/** Starts a server of the command with a tool for each call, and connects to it. */
async function connect(args: string[], env: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [BIN, 'mcp', '--tools', 'all', ...args],
      env: { ...(cleanEnvironment(ROOT) as Record<string, string>), ...env },
      cwd: ROOT,
    }),
  )
  return client
}

const toolsOf =
  (client: Client) =>
  async (name: string, args: object = {}) => {
    const result = await client.callTool({ name, arguments: args as Record<string, unknown> })
    const [part] = result.content as [{ type: string; text: string }]
    const failed = result.isError === true
    const value: unknown = failed ? undefined : JSON.parse(part.text)
    return { text: part.text, value, structured: result.structuredContent, failed }
  }

const test = oneEmulatorTest.extend<Fixtures>({
  client: [
    async ({ oneEmulator }, use) => {
      const client = await connect(['--url', oneEmulator.url])
      await use(client)
      await client.close()
    },
    { scope: 'file' },
  ],

  tool: async ({ client }, use) => use(toolsOf(client)),
})

test('a message that is too long ends mockademy mcp with status 2, and the reason', async () => {
  const server = spawn(process.execPath, [BIN, 'mcp', '--url', 'http://127.0.0.1:1'], { cwd: ROOT })
  let stderr = ''
  server.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  // It ends while this is still being written.
  server.stdin.on('error', () => {})
  server.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(30_000_000)}`)
  const [status] = await once(server, 'close')
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr:
      'mockademy: a message of more than 10 MB came over standard input; load so large a document with `mockademy state import`\n',
  })
})

test('requests that are piped have their responses before mockademy mcp ends with its input', async ({ emulator }) => {
  const server = spawn(process.execPath, [BIN, 'mcp', '--url', emulator.url], { cwd: ROOT })
  const clientInfo = { name: 'pipe', version: '0' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  const messages = [
    { id: 1, method: 'initialize', params },
    { id: 2, method: 'tools/call', params: { name: 'status', arguments: {} } },
  ]
  server.stdin.end(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''))
  let stdout = ''
  server.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  expect(await once(server, 'close')).toEqual([0, null])
  const responses = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(responses).toEqual([
    { jsonrpc: '2.0', id: 1, result: expect.objectContaining({ protocolVersion: '2025-06-18' }) },
    { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: expect.stringContaining('"apps"') }] } },
  ])
})

describe('the tools of mockademy mcp --tools all', () => {
  test('are the methods of the typed client', async ({ client, emulator }) => {
    const { tools } = await client.listTools()
    const methods = Object.keys(emulator.admin).filter((name) => !['stream', 'report', 'sandbox'].includes(name))
    expect(tools.map(({ name }) => name)).toEqual(methods)
    for (const { description, name } of tools) expect(description, name).toMatch(/^[A-Z].*\.$/s)
  })

  test('have sound schemas of their arguments, which know no others', async ({ client }) => {
    const { tools } = await client.listTools()
    const ajv = schemaValidator({ validateFormats: false })
    for (const { inputSchema, name } of tools) expect(() => ajv.compile(inputSchema), name).not.toThrow()
    const schemaOf = (name: string) => ajv.compile(tools.find((tool) => tool.name === name)?.inputSchema ?? {})
    expect(schemaOf('putMember')({ slug: 'acme', user: 'ada', role: 'admin' })).toBe(true)
    expect(schemaOf('putMember')({ slug: 'acme', user: 'ada', role: 'boss' })).toBe(false)
    expect(schemaOf('putMember')({ slug: 'acme', role: 'admin' })).toBe(false)
    expect(schemaOf('listRequests')({ path: '/v0/*', limit: 3 })).toBe(true)
    expect(schemaOf('listRequests')({ paht: '/v0/*' })).toBe(false)
    expect(schemaOf('pushManifest')({ app: 'notes', body: { id: 'notes', name: 'N', version: '2.0.0', own: 1 } })).toBe(
      true,
    )
    expect(schemaOf('addFixtures')({ users: [{ email: 'eve@acme.test' }] })).toBe(true)
    expect(schemaOf('upgrade')({ id: 'x' })).toBe(true)
    const descriptions = Object.fromEntries(tools.map(({ name, description }) => [name, description]))
    expect(descriptions.runScenario).toMatch(/ Fields: mockademy\/fixtures\/scenario\.schema\.json\.$/)
    expect(descriptions.addFixtures).toMatch(/ Fields: mockademy\/fixtures\/schema\.json\.$/)
    // An agent that asks for all of them reads the list whole, at each start.
    expect(JSON.stringify(tools).length).toBeLessThan(48_000)
  })

  test('say which of them only read, and which take something away', async ({ client }) => {
    const { tools } = await client.listTools()
    const named = (hint: 'readOnlyHint' | 'destructiveHint' | 'idempotentHint') =>
      tools.filter(({ annotations }) => annotations?.[hint]).map(({ name }) => name)
    const reading = named('readOnlyHint')
    expect(reading).toEqual(expect.arrayContaining(['listRequests', 'listFindings', 'getState', 'clock', 'readInbox']))
    expect(
      reading.filter((name) => !/^(list|get|read|count|world|clock|health|deliveriesSettled|adminDocument)/.test(name)),
    ).toEqual([])
    const repeatable = named('idempotentHint')
    expect(repeatable).toEqual(expect.arrayContaining([...reading, 'putMember', 'deleteApp']))
    for (const name of ['install', 'addFault', 'advanceClock']) expect(repeatable).not.toContain(name)
    const destructive = named('destructiveHint')
    expect(destructive.filter((name) => reading.includes(name))).toEqual([])
    // Every other call deletes or replaces something: an upgrade revokes tokens, a snapshot replaces that of its name.
    const additive = [
      ...[
        'addFault',
        'addFixtures',
        'createApp',
        'createOrganization',
        'createSandbox',
        'createUser',
        'install',
        'mark',
      ],
      ...[
        'advanceClock',
        'freezeClock',
        'mintTokens',
        'redeliver',
        'resumeClock',
        'sendEvent',
        'signIn',
        'startRecording',
      ],
    ]
    const names = tools.map(({ name }) => name)
    const others = names.filter((name) => !destructive.includes(name) && !reading.includes(name))
    expect(others.sort()).toEqual(additive.sort())
  })

  test("tell why the app's last request was refused", async ({ client, tool, emulator, call }) => {
    const { access_token } = await emulator.admin.mintTokens({ app: 'notes', organization: 'acme' })
    await emulator.admin.advanceClock('61m')
    expect((await call('/v0/elements', { as: access_token })).status).toBe(401)

    expect(client.getInstructions()).toContain('To find out why a request of the app was refused, call listRequests')
    const { value } = await tool('listRequests', { surface: 'api', limit: 1 })
    expect(value).toMatchObject({
      data: [
        {
          path: '/v0/elements',
          status: 401,
          app: 'notes',
          reason: expect.stringMatching(/expired at 2026-01-01T01:00/),
        },
      ],
    })
  })

  test('answer with text and with the same as structured content', async ({ tool, emulator }) => {
    const list = await tool('listOrganizations')
    expect(list.value).toEqual({ data: await emulator.admin.listOrganizations() })
    expect(list.structured).toEqual(list.value)
    const one = await tool('getOrganization', { slug: 'acme' })
    expect(one.value).toEqual(await emulator.admin.getOrganization('acme'))
    expect(one.structured).toEqual(one.value)
  })

  test('refuse what is too long for a message of a client, which would end the connection', async ({ tool, call }) => {
    const search = { method: 'POST', as: 'key_acme', body: { q: 'x'.repeat(60_000) } }
    for (let count = 0; count < 90; count += 1) await call('/v0/elements/search', search)
    const { failed, text } = await tool('listRequests')
    expect({ failed, text: text.slice(0, 200) }).toEqual({
      failed: true,
      text: expect.stringMatching(
        /^listRequests returns \d+ MB, too much for one message: ask for less, e\.g\. with limit$/,
      ),
    })
    expect((await tool('listRequests', { limit: 1 })).value).toMatchObject({ data: [{ path: '/v0/elements/search' }] })
  })

  test('have the effect of the call: names in the path, fields, bodies, documents', async ({ tool, emulator }) => {
    const { admin } = emulator
    await tool('putMember', { slug: 'acme', user: 'bob@acme.test', role: 'admin' })
    expect((await admin.getOrganization('acme')).members).toContainEqual(
      expect.objectContaining({ email: 'bob@acme.test', role: 'admin' }),
    )
    await tool('addFixtures', { users: [{ email: 'eve@acme.test' }] })
    expect(await admin.listUsers()).toContainEqual(expect.objectContaining({ email: 'eve@acme.test' }))
    const manifest = (await admin.getApp('notes')).versions.at(-1)?.manifest
    await tool('pushManifest', { app: 'notes', body: { ...manifest, version: '9.0.0' } })
    expect((await admin.getApp('notes')).versions.map(({ version }) => version)).toContain('9.0.0')
    await tool('advanceClock', { by: '1h' })
    expect(await admin.clock()).toMatchObject({ now: '2026-01-01T01:00:00.000Z' })
    await tool('addFault', { match: { surface: 'api' }, effect: 'rate_limited', times: 1 })
    expect((await fetch(`${emulator.url}/v0/courses`)).status).toBe(429)
    await tool('freezeClock')
    expect(await admin.clock()).toMatchObject({ frozen: true })
  })
})

describe('what a tool cannot do', () => {
  test('is an error of the tool, with the reason and the way out', async ({ tool }) => {
    expect(await tool('getOrganization', { slug: 'nowhere' })).toMatchObject({
      failed: true,
      text: expect.stringMatching(/^getOrganization was refused with status 404: .*nowhere.*acme/),
    })
    expect(await tool('addFault', { match: { surface: 'api' }, effect: 'rate_limted', times: 0 })).toMatchObject({
      failed: true,
      text: expect.stringMatching(/^addFault was refused with status 400: (.*\n)+times: /),
    })
    expect(await tool('expireTokens')).toMatchObject({
      failed: true,
      text: expect.stringContaining('must select tokens: filters, '),
    })
  })

  test('names arguments that are missing or unknown', async ({ tool }) => {
    expect(await tool('putMember', { slug: 'acme', usr: 'ada', role: 'admin' })).toMatchObject({
      failed: true,
      text: 'putMember was not called\nusr: is not an argument of putMember; did you mean "user"?\nuser: is required, as a string',
    })
    expect((await tool('getApp', { app: '' })).text).toBe('getApp was not called\napp: is required, as a string')
    expect(await tool('reset', { hard: true })).toMatchObject({
      failed: true,
      text: 'reset was not called\nhard: is not an argument of reset; there are none',
    })
  })

  test('a tool that does not exist is an error of the protocol', async ({ client }) => {
    await expect(client.callTool({ name: 'listNothing', arguments: {} })).rejects.toThrow(/listNothing/)
  })

  describe('without an emulator', () => {
    test('says how to start one', async () => {
      const client = await connect([], { MOCKADEMY_URL: 'http://127.0.0.1:9' })
      expect(await toolsOf(client)('world')).toMatchObject({
        failed: true,
        text: expect.stringMatching(/^No emulator answers at http:\/\/127\.0\.0\.1:9: .*\n.*npx mockademy start/),
      })
      await client.close()
    })
  })

  describe('at an emulator with an admin token', () => {
    test('is everything, unless the server has it', async () => {
      await using emulator = await startEmulator({ adminToken: 'sesame' })
      const without = await connect(['--url', emulator.url])
      expect(await toolsOf(without)('world')).toMatchObject({
        failed: true,
        text: expect.stringContaining('status 401'),
      })
      const own = await connect(['--url', emulator.url], { MOCKADEMY_ADMIN_TOKEN: 'sesame' })
      expect((await own.callTool({ name: 'world', arguments: {} })).isError).toBeUndefined()
      for (const client of [without, own]) await client.close()
    })
  })
})

describe('the server of mockademy mcp', () => {
  test('serves clients of the newest revision of the protocol too', async ({ emulator }) => {
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
    const args = [BIN, 'mcp', '--tools', 'all', '--url', emulator.url]
    await client.connect(new StdioClientTransport({ command: process.execPath, args }))
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
    expect((await client.callTool({ name: 'health', arguments: {} })).structuredContent).toEqual({ status: 'ok' })
    await client.close()
  })

  test('lets go of a call that the agent has given up', async () => {
    const waiting = createServer()
    const arrived = once(waiting, 'request')
    const client = await connect(['--url', (await serve(waiting)).url])
    const given = new AbortController()
    const call = client.callTool({ name: 'health', arguments: {} }, { signal: given.signal })
    const [request] = (await arrived) as [IncomingMessage]
    const gone = once(request.socket, 'close')
    given.abort('enough')
    await expect(call).rejects.toThrow('enough')
    await gone
    await client.close()
  })

  test('serves clients of an early revision, prints nothing but messages, and ends with its input', async ({
    emulator,
  }) => {
    const child = spawn(process.execPath, [BIN, 'mcp', '--tools', 'all', '--url', emulator.url], { cwd: ROOT })
    const ended = once(child, 'close')
    let errors = ''
    child.stderr.on('data', (chunk) => {
      errors += chunk
    })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const answerTo = async (message: object) => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
      return JSON.parse((await lines.next()).value ?? '')
    }
    const clientInfo = { name: 'early', version: '0' }
    const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo }
    expect(await answerTo({ id: 1, method: 'initialize', params })).toMatchObject({
      id: 1,
      result: { protocolVersion: '2024-11-05', serverInfo: { name: 'mockademy' } },
    })
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    const called = await answerTo({ id: 2, method: 'tools/call', params: { name: 'health', arguments: {} } })
    expect(called).toMatchObject({ id: 2, result: { content: [{ type: 'text', text: '{"status":"ok"}' }] } })
    child.stdin.end()
    expect(await ended).toEqual([0, null])
    expect(await lines.next()).toMatchObject({ done: true })
    expect(errors).toBe('')
  })
})
