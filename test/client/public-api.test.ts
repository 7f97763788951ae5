import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import timers from 'node:timers'
import promises from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  audit,
  connect,
  type Emulator,
  InvalidFixturesError,
  InvalidOptionsError,
  MockademyError,
  StartError,
  startEmulator,
  sweep,
} from 'mockademy'
import { describe, expect, vi } from 'vitest'
import type * as Public from '../../docs/api.d.ts'
import { test } from '../harness/emulator-test.js'
import { freePort } from '../harness/free-port.js'

/**
 * The compiler's part: what the package returns and takes is what its declarations say. Of a state, a recording and a gap
 * they say more, as elements and steps are described by their types there.
 */
type Shown = Omit<Public.Emulator, 'admin'> & { admin: Omit<Public.Admin, 'getState' | 'stopRecording' | 'listGaps'> }
const asDeclared = (emulator: Emulator): Shown => emulator
/** And what a sandbox has is declared. */
const hasAll = (sandbox: Public.BoundSandbox): Omit<Awaited<ReturnType<Emulator['admin']['sandbox']>>, 'fault'> =>
  sandbox

const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

describe('what is public', () => {
  test('is what docs/api.d.ts says; `npm run api-report` rewrites it', () => {
    expect(text('dist/index.d.cts')).toBe(text('docs/api.d.ts'))
  })

  test('each type has a sentence, which an editor shows', () => {
    const undocumented = [
      ...text('docs/api.d.ts').matchAll(/(.*)\n(?:declare )?(?:interface|type|class|function) (\w+)/g),
    ]
      .filter(([, before]) => !before?.endsWith('*/'))
      .map(([, , name]) => name)
    expect(undocumented).toEqual([])
  })

  test('an emulator shows nothing of its inside', async ({ emulator }) => {
    expect(Object.keys(asDeclared(emulator)).toSorted()).toEqual(
      ['admin', 'appUrl', 'close', 'env', 'notes', 'report', 'url'].toSorted(),
    )
  })

  test('a sandbox has a clock that says its time', async ({ emulator }) => {
    const { clock, end } = hasAll(await asDeclared(emulator).admin.sandbox({ app: 'notes' }))
    expect(await clock.now()).toMatch(/^\d{4}-.*Z$/)
    await end()
  })

  test('env is what exec sets', async () => {
    // Of its own, so that nothing else answers there afterwards.
    const emulator = await startEmulator({ port: await freePort() })
    expect(emulator.env).toEqual({
      MOCKADEMY_URL: emulator.url,
      PLATFORM_BASE_URL: emulator.url,
      PLATFORM_APP_URL: emulator.url,
      PLATFORM_API_KEY: 'key_acme',
      PLATFORM_CLIENT_ID: 'app_notes',
      PLATFORM_CLIENT_SECRET: 'notes_secret',
      PLATFORM_SIGNING_SECRET: 'notes_signing',
    })
    await emulator[Symbol.asyncDispose]()
    await expect(fetch(emulator.url)).rejects.toThrow()
  })

  test('a variable that nothing reads gets one warning in a process, with the nearest one', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    vi.stubEnv('MOCKADEMY_STOER', 'memory')
    for (const emulator of [await startEmulator(), await startEmulator()]) await emulator.close()
    expect(warn.mock.calls).toEqual([
      ['unknown environment variables: MOCKADEMY_STOER (did you mean "MOCKADEMY_STORE"?)'],
    ])
    vi.unstubAllEnvs()
    warn.mockRestore()
  })

  test('options that do not exist are refused with the near miss, the inner ones too', async () => {
    const refused = async (options: object) => {
      const error: unknown = await startEmulator(options).catch((error: unknown) => error)
      expect(error).toBeInstanceOf(InvalidOptionsError)
      return (error as InvalidOptionsError).message
    }
    expect(await refused({ fixtuers: {} })).toBe(
      'Invalid options: fixtuers is not a known option; did you mean "fixtures"?',
    )
    expect(await refused({ pagesize: 3 })).toContain('pagesize is not a known option; did you mean "pageSize"?')
    expect(await refused({ worlds: 3 })).toBe(
      'Invalid options: worlds is an option of the commands start and exec; call startEmulator once for each world',
    )
    expect(await refused({ pageSize: 0, ackWindow: 'soon' })).toMatch(/pageSize must be at least 1; ackWindow must be/)
    const origin = 'must be an http or https URL'
    expect(await refused({ appUrl: 'notaurl', browserUrl: 'ftp://x' })).toBe(
      `Invalid options: appUrl ${origin}; browserUrl ${origin}`,
    )
    for (const host of ['http://app:3000', 'app:3000', 'app/webhook', '*.app.test', 'http://[::1]']) {
      expect(await refused({ trustHosts: ['app', '::1', '[fd12::1]', '10.0.0.1', host] })).toContain(
        'trustHosts.4 must be a host name or an IP address, without scheme, port and path',
      )
    }
    for (const host of ['http://localhost', 'localhost:4600']) {
      const why = 'must be a host name or an IP address, without scheme, port and path'
      expect(await refused({ host })).toBe(`Invalid options: host ${why}`)
    }
    for (const rest of ['/path', '?query', '#fragment', '/?']) {
      expect(await refused({ appUrl: `https://app.test${rest}` })).toContain('appUrl must be an origin')
    }
    for (const user of ['ada:secret@', 'ada@', '@']) {
      expect(await refused({ browserUrl: `https://${user}app.test` })).toBe(
        'Invalid options: browserUrl must be an origin: no user, path, query or fragment',
      )
    }
    expect(await refused({ webhookCa: '/nowhere/ca.pem' })).toContain('webhookCa cannot be read: ENOENT')
    expect(await refused({ webhookCa: fileURLToPath(import.meta.url) })).toContain('webhookCa names a file without')
    for (const inner of ['index', 'content', 'sendsWebhooks', 'defaults', 'within', 'pushes', 'given']) {
      expect(await refused({ [inner]: undefined })).toContain(`${inner} is not a known option`)
    }
    expect(await refused({ fresh: true, resume: true })).toBe('Invalid options: fresh cannot be combined with resume')
  })

  test('an address that is not this machine’s is refused with the way on; an IPv6 one may have brackets', async () => {
    const way = 'Use 127.0.0.1, or 0.0.0.0 for every address.'
    const start = (host: string) => startEmulator({ host, port: 0 })
    await expect(start('192.0.2.1')).rejects.toThrow(`192.0.2.1 is not an address of this machine. ${way}`)
    await expect(start('nowhere.invalid')).rejects.toThrow(`The host nowhere.invalid has no address. ${way}`)
    await using emulator = await start('[::1]')
    expect((await fetch(`http://[::1]:${new URL(emulator.url).port}/_admin`)).status).toBe(200)
  })

  test('a setting’s name as in files is refused with the name of the option', async () => {
    const refusal = (name: string, option: string) => ({
      name: 'InvalidOptionsError',
      message: `Invalid options: ${name} is not a known option; its name is "${option}"`,
    })
    const old = (option: object): never => option as never
    await expect(startEmulator(old({ page_size: 3 }))).rejects.toMatchObject(refusal('page_size', 'pageSize'))
    expect(() => connect('http://localhost', old({ admin_token: 'x' }))).toThrow(
      expect.objectContaining(refusal('admin_token', 'adminToken')),
    )
    await expect(audit(old({ url: 'http://localhost', file: {}, fail_on: 'low' }))).rejects.toMatchObject(
      refusal('fail_on', 'failOn'),
    )
  })

  test('what has the wrong kind is refused by name', async () => {
    const refusal = (what: string) => ({ name: 'InvalidOptionsError', message: `Invalid options: ${what}` })
    const wrong = (value: unknown): never => value as never
    const url = 'http://localhost'
    for (const value of [null, 'x', []]) {
      await expect(startEmulator(wrong(value))).rejects.toMatchObject(refusal('options must be an object'))
    }
    for (const option of ['store', 'adminToken']) {
      const what = refusal(`${option} must be a string, not a number`)
      await expect(startEmulator(wrong({ [option]: 5 }))).rejects.toMatchObject(what)
    }
    await expect(startEmulator(wrong({ config: true }))).rejects.toMatchObject(
      refusal('config must be the path of a file, or false'),
    )
    await expect(
      startEmulator(wrong({ fresh: 'yes', resume: 0, onInternalError: 'x', config: false })),
    ).rejects.toMatchObject(
      refusal('fresh must be true or false; resume must be true or false; onInternalError must be a function'),
    )
    await expect(startEmulator(wrong({ fixtures: null }))).rejects.toMatchObject({ name: 'InvalidFixturesError' })
    const users = [{ email: 'ada@acme.test', id: 5n, avatar: () => 'x' }]
    await expect(startEmulator(wrong({ fixtures: { users } }))).rejects.toMatchObject({
      name: 'InvalidFixturesError',
      issues: [
        { path: 'users.0.id', message: 'must be a string, not a bigint' },
        { path: 'users.0.avatar', message: 'must be a string, not a function' },
      ],
    })
    for (const address of ['localhost:4600', 'ftp://localhost', 'http://']) {
      expect(() => connect(address)).toThrow(expect.objectContaining(refusal('url must be an http or https URL')))
    }
    const noUrl = refusal('url must be a string')
    for (const address of [undefined, new URL(url)]) {
      expect(() => connect(wrong(address))).toThrow(expect.objectContaining(noUrl))
    }
    expect(() => connect(url, wrong({ adminToken: 5 }))).toThrow(
      expect.objectContaining(refusal('adminToken must be a string')),
    )
    for (const run of [audit, sweep]) {
      await expect(run(wrong(undefined))).rejects.toMatchObject(refusal('options must be an object'))
      await expect(run(wrong({ file: { app: 'notes' } }))).rejects.toMatchObject(noUrl)
    }
    const shared = [
      [{ only: 'webhook.*' }, 'only must be an array of strings'],
      [{ skip: [5] }, 'skip must be an array of strings'],
      [{ adminToken: 5, folder: 5 }, 'adminToken must be a string; folder must be a string'],
      [{ liberties: 7 }, 'liberties must be a string'],
      [{ bail: 'x' }, 'bail must be true or false'],
      [{ signal: 5 }, 'signal must be an AbortSignal'],
      [{ onNote: 5 }, 'onNote must be a function'],
    ] as const
    const ofAudit = [
      [{ failOn: 'huge' }, 'failOn must be one of critical, high, medium, low'],
      [{ timeout: 0 }, 'timeout must be at least 1 ms'],
      [{ onResult: 5 }, 'onResult must be a function'],
    ] as const
    const ofSweep = [
      [{ flow: 'refresh' }, 'flow must be an array of strings'],
      [{ out: 5 }, 'out must be a string'],
      [{ pairs: 1, onProgress: 5 }, 'pairs must be true or false; onProgress must be a function'],
    ] as const
    for (const [run, refused] of [[audit, [...shared, ...ofAudit]] as const, [sweep, [...shared, ...ofSweep]] as const])
      for (const [options, what] of refused)
        await expect(run(wrong({ url, file: { app: 'notes' }, ...options }))).rejects.toMatchObject(refusal(what))
  })

  test('a variable with an invalid value is named as it was written', async () => {
    vi.stubEnv('MOCKADEMY_PAGE_SIZE', '0')
    await expect(startEmulator({ fixtures: {} })).rejects.toMatchObject({
      message: 'Invalid options: MOCKADEMY_PAGE_SIZE must be at least 1',
    })
    vi.unstubAllEnvs()
  })

  test('errors have names that can be caught, and messages that hold every detail', async ({ emulator }) => {
    const fixtures = { users: [{ email: 'nobody' }], organizations: [{ slug: 'a b' }] }
    const unsound: unknown = await startEmulator({ fixtures }).catch((error: unknown) => error)
    expect(unsound).toBeInstanceOf(InvalidFixturesError)
    expect((unsound as Error).message).toMatch(/users\.0\.email: .*\n|organizations\.0\.slug: /)
    const port = Number(new URL(emulator.url).port)
    const taken: unknown = await startEmulator({ port }).catch((error: unknown) => error)
    expect(taken).toBeInstanceOf(StartError)
    expect(taken).toMatchObject({ name: 'StartError', message: expect.stringContaining('in use') })
    for (const error of [unsound, taken]) expect(error).toBeInstanceOf(MockademyError)
    expect([unsound, taken]).toMatchObject([{ code: 'ERR_INVALID_FIXTURES' }, { code: 'ERR_START' }])
  })

  test.for([
    ['canParse', URL],
    ['any', AbortSignal],
  ] as const)('a start is refused where there is no %s, as in old versions of jsdom', async ([name, owner]) => {
    const method = Object.getOwnPropertyDescriptor(owner, name) as PropertyDescriptor
    Reflect.deleteProperty(owner, name)
    const starting = startEmulator()
    Object.defineProperty(owner, name, method)
    await expect(starting).rejects.toThrow(StartError)
    await expect(starting).rejects.toThrow('/** @jest-environment node */')
  })

  describe('in a test that fakes its timers', () => {
    const never = new Promise<never>(() => {})

    test.beforeEach(() => {
      vi.useFakeTimers()
      // Some libraries fake the modules' as well.
      vi.spyOn(globalThis, 'queueMicrotask').mockReturnValue()
      vi.spyOn(timers, 'setImmediate').mockReturnValue({} as NodeJS.Immediate)
      vi.spyOn(promises, 'setTimeout').mockReturnValue(never)
    })
    test.afterEach(() => {
      vi.restoreAllMocks()
      vi.useRealTimers()
    })

    /** Not by fetch, which needs what is faked. */
    const status = (url: string, key: string) =>
      new Promise((resolve, reject) => {
        const options = { headers: { authorization: `Bearer ${key}` }, agent: false }
        get(url, options, (got) => resolve(got.resume().statusCode)).on('error', reject)
      })

    test('requests are answered, refused ones too', async ({ emulator }) => {
      const url = `${emulator.url}/v0/courses`
      expect(await status(url, 'key_acme')).toBe(200)
      expect(await status(url, 'unknown')).toBe(401)
      expect(await status(url, 'key_acme')).toBe(200)
    })

    test('requests are as fast as they are, not as the faked time has it', async ({ emulator }) => {
      for (let times = 1; times <= 4; times++) {
        expect(await status(`${emulator.url}/v0/members`, 'at_acme')).toBe(403)
        vi.advanceTimersByTime(60_000)
      }
      expect(await emulator.admin.listFindings({ rule: 'hopeless_retry' })).toMatchObject([{ count: 1 }])
    })

    test('webhooks that fail end, and are repeated in time', async ({ emulator: { admin, url } }) => {
      const [version] = (await admin.getApp('notes')).versions
      const manifest = version?.manifest as Public.Manifest
      await admin.pushManifest('notes', { ...manifest, webhook: { url: `${url}/_inbox/notes` } })
      await admin.setInbox('notes', { status: 500 })
      const { installation } = await admin.install({ app: 'notes', organization: 'zenith' })
      const sent = await admin.sendEvent({ type: 'notes.shared', installation: installation.id, data: {} })
      expect(sent).toMatchObject({ state: 'retrying', attempts: [{ status: 500 }] })
      expect(await admin.readInbox('other', { wait: '10ms' })).toEqual([])
    })
  })

  test('a user is changed by id or email', async ({ emulator: { admin } }) => {
    const { id } = await admin.createUser({ email: 'kim@new.test', first_name: 'Kim', last_name: 'Lee' })
    expect(await admin.updateUser('kim@new.test', { last_name: 'Park', email_verified: true })).toMatchObject({
      id,
      full_name: 'Kim Park',
      email_verified: true,
    })
    expect(await admin.updateUser(id, { email: 'KIM@newer.test' })).toMatchObject({ email: 'KIM@newer.test' })
    await admin.createUser({ email: 'other@new.test' })
    await expect(admin.updateUser(id, { email: 'Other@new.test' })).rejects.toMatchObject({ status: 409 })
    await expect(admin.updateUser(id, { email: 'nobody' })).rejects.toMatchObject({
      status: 400,
      message: 'Validation failed: email must be an email address',
    })
    await expect(admin.updateUser(id, {})).rejects.toMatchObject({ status: 400 })
    await expect(admin.updateUser('nobody@new.test', { avatar: null })).rejects.toMatchObject({ status: 404 })
  })
})
