import fs, { mkdir, rename, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AdminError, connect, startEmulator, UnreachableError } from 'mockademy'
import { describe, expect, vi } from 'vitest'
import { send, test } from '../harness/emulator-test.js'
import { serve } from '../harness/serve.js'

describe('control-api "Typed client"', () => {
  test('startEmulator gives addresses and the control API', async ({ emulator }) => {
    expect(emulator).toMatchObject({ url: expect.stringMatching(/:\d+$/), appUrl: emulator.url })
    const world = await emulator.admin.world()
    expect(world).toMatchObject({ name: 'mockademy', counts: { organizations: 2 } })
  })

  test('connect gives the same for one that runs elsewhere, with its admin token', async () => {
    await using emulator = await startEmulator({ fixtures: {}, adminToken: 's3cret' })
    await expect(connect(emulator.url).world()).rejects.toMatchObject({ status: 401 })
    const admin = connect(`${emulator.url}/`, { adminToken: 's3cret' })
    expect(await admin.health()).toEqual({ status: 'ok' })
    await admin.createOrganization({ slug: 'neo', name: 'Neo' })
    expect(await admin.listOrganizations()).toMatchObject([{ slug: 'neo' }])
  })

  test('a refused call rejects with the problem', async ({ emulator }) => {
    const refused = await emulator.admin.createUser({ email: 'nobody' }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(AdminError)
    expect(refused).toMatchObject({
      status: 400,
      message: 'Validation failed: email must be an email address',
      problem: { errors: [{ path: 'email' }] },
    })
  })

  test('names in paths are escaped, queries hold what is given', async ({ emulator }) => {
    await emulator.admin.snapshot('a/b c')
    await emulator.admin.restoreSnapshot('a/b c')
    expect(await emulator.admin.listSnapshots()).toMatchObject([{ name: 'a/b c' }])
    await send(`${emulator.url}/v0/courses`)
    expect(await emulator.admin.countRequests({ status: 401, path: '/v0/*' })).toEqual({ count: 1 })
    expect(await emulator.admin.countRequests({ status: 200 })).toEqual({ count: 0 })
  })

  test('an emulator that serves https is reached with the local authority', async ({ folder, onTestFinished }) => {
    vi.stubEnv('XDG_DATA_HOME', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    await using emulator = await startEmulator({ fixtures: {}, https: true })
    expect(await emulator.admin.world()).toMatchObject({ base_url: emulator.url })
    expect(await connect(emulator.url).health()).toEqual({ status: 'ok' })
  })

  test('startEmulator leaves nothing when the variables of an app cannot be made', async ({
    folder,
    onTestFinished,
  }) => {
    vi.stubEnv('XDG_DATA_HOME', folder)
    const { rename } = fs
    const renaming = vi.spyOn(fs, 'rename').mockImplementation((from, to) => {
      return /bundle-/.test(String(to)) ? Promise.reject(new Error('EACCES: permission denied')) : rename(from, to)
    })
    onTestFinished(() => {
      vi.unstubAllEnvs()
      renaming.mockRestore()
    })
    const servers = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
    const before = servers()
    const starting = startEmulator({ fixtures: {}, https: true })
    await expect(starting).rejects.toThrow(
      /cannot be kept in .*authority \(EACCES: permission denied\)\. Set XDG_DATA_HOME/,
    )
    expect(servers()).toBe(before)
  })

  test('a client that could not read the local authority tries again', async ({ folder, onTestFinished }) => {
    vi.stubEnv('XDG_DATA_HOME', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    await using emulator = await startEmulator({ fixtures: {}, https: true })
    const admin = connect(emulator.url)
    const authority = join(folder, 'mockademy/authority/ca.pem')
    await rename(authority, `${authority}.kept`)
    await mkdir(authority)
    await expect(admin.health()).rejects.toThrow(UnreachableError)
    await rmdir(authority)
    await rename(`${authority}.kept`, authority)
    expect(await admin.health()).toEqual({ status: 'ok' })
  })

  test('an address where nothing or something else answers is named', async () => {
    const emulator = await startEmulator({ fixtures: {} })
    await emulator.close()
    const gone = await emulator.admin.world().catch((error: unknown) => error)
    expect(gone).toBeInstanceOf(UnreachableError)
    expect(gone).toMatchObject({ url: emulator.url, message: expect.stringContaining(`${emulator.url}: `) })

    const { url } = await serve((_, response) => response.end('<h1>hello</h1>'))
    await expect(connect(url).world()).rejects.toMatchObject({
      name: 'UnreachableError',
      message: `No emulator answers at ${url}: the server there (it responded with status 200) is not Mockademy`,
    })
  })

  test('lists are arrays, deletions are what was deleted, counts are counted', async ({ emulator: { admin } }) => {
    await admin.addFault({ effect: 'unavailable' })
    expect(await admin.listFaults()).toMatchObject([{ effect: 'unavailable' }])
    expect(await admin.clearFaults()).toMatchObject([{ effect: 'unavailable' }])
    const { user } = await admin.signIn('ada@acme.test')
    expect(await admin.endSessions()).toMatchObject([{ user }])
    expect(await admin.clearSilentAuth()).toEqual([])
    expect(await admin.emptyInbox('mine')).toEqual([])
    expect(await admin.clearRequests()).toEqual({ affected: 0 })
    expect(await admin.upgrade('nowhere').catch(({ status }) => status)).toBe(404)
  })

  test('every control call has its method', async ({ emulator }) => {
    const document = (await send(`${emulator.url}/_admin/openapi.json`)).body
    const ids = Object.values<Record<string, { operationId?: string }>>(document.paths).flatMap((path) =>
      Object.values(path).flatMap(({ operationId }) => operationId ?? []),
    )
    expect(ids.length).toBeGreaterThan(50)
    expect(Object.keys(emulator.admin)).toEqual(expect.arrayContaining(ids))
  })

  test('the document asks for a body where a call without one is refused', async ({ emulator }) => {
    const { paths } = (await send(`${emulator.url}/_admin/openapi.json`)).body as {
      paths: Record<string, Record<string, { requestBody?: { required: boolean } }>>
    }
    const calls = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { requestBody }]) =>
        requestBody && !path.includes('{') ? [{ path, method, required: requestBody.required }] : [],
      ),
    )
    expect(calls.length).toBeGreaterThan(10)
    for (const { path, method, required } of calls) {
      const { status } = await send(emulator.url + path, { method: method.toUpperCase() })
      expect({ path, required: status === 400 }).toEqual({ path, required })
    }
  })
})
