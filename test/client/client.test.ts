import { AdminError, connect, startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { send, test } from '../harness/emulator-test.js'

describe('control-api "Typed client"', () => {
  test('startEmulator gives addresses and the control API', async ({ emulator }) => {
    expect(emulator).toMatchObject({ baseUrl: emulator.url, appUrl: emulator.url })
    const world = await emulator.admin.world()
    expect(world).toMatchObject({ name: 'mockademy', counts: { organizations: 2 } })
  })

  test('connect gives the same for one that runs elsewhere, with its admin token', async () => {
    const emulator = await startEmulator({ fixtures: {}, admin_token: 's3cret' })
    await expect(connect(emulator.url).world()).rejects.toMatchObject({ status: 401 })
    const admin = connect(`${emulator.url}/`, { adminToken: 's3cret' })
    expect(await admin.health()).toEqual({ status: 'ok' })
    await admin.createOrganization({ slug: 'neo', name: 'Neo' })
    expect(await admin.listOrganizations()).toMatchObject([{ slug: 'neo' }])
    await emulator.close()
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
    expect(await emulator.admin.countRequests({ status: 401, path: '/v0/*' })).toBe(1)
    expect(await emulator.admin.countRequests({ status: 200 })).toBe(0)
  })

  test('every control call has its method', async ({ emulator }) => {
    const document = (await send(`${emulator.url}/_admin/openapi.json`)).body
    const ids = Object.values<Record<string, { operationId?: string }>>(document.paths).flatMap((path) =>
      Object.values(path).flatMap(({ operationId }) => operationId ?? []),
    )
    expect(ids.length).toBeGreaterThan(50)
    expect(Object.keys(emulator.admin)).toEqual(expect.arrayContaining(ids.filter((id) => !id.endsWith('Document'))))
  })
})
