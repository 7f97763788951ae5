import { AdminError, type Emulator } from 'mockademy'
import { type EmulatorFixtures, emulatorTest as test } from 'mockademy/vitest'
import { describe, expect, expectTypeOf, type TestAPI } from 'vitest'

const urls: string[] = []

const coursesOf = async (emulator: Emulator, key: string) => {
  const answer = await fetch(`${emulator.url}/v0/courses`, { headers: { authorization: `Bearer ${key}` } })
  return { status: answer.status, courses: ((await answer.json()) as { payload?: { data: unknown[] } }).payload?.data }
}

describe('emulatorTest of mockademy/vitest', () => {
  test('gives an emulator with the default world', async ({ emulator }) => {
    urls.push(emulator.url)
    expect(await coursesOf(emulator, 'key_acme')).toMatchObject({ status: 200 })
    await emulator.admin.deleteOrganization('acme')
    await emulator.admin.addFault({ match: { surface: 'api' }, effect: 'unavailable' })
  })

  test('marks what the test causes with its name', async ({ emulator }) => {
    await coursesOf(emulator, 'key_acme')
    const [entry] = await emulator.admin.listRequests()
    expect(entry?.mark).toBe('emulatorTest of mockademy/vitest > marks what the test causes with its name')
  })

  test('gives the next test the same one, as it was at first', async ({ emulator }) => {
    expect(emulator.url).toBe(urls[0])
    expect(await coursesOf(emulator, 'key_acme')).toMatchObject({ status: 200 })
    expect(await emulator.admin.listFaults()).toEqual([])
  })

  test.beforeEach(async ({ emulator }) => {
    await emulator.admin.createOrganization({ slug: 'prepared', name: 'Prepared' })
  })

  test('gives hooks the emulator of their test', async ({ emulator }) => {
    expect(await emulator.admin.getOrganization('prepared')).toMatchObject({ name: 'Prepared' })
  })

  describe('with options of its own', () => {
    test.override({
      emulatorOptions: {
        seed: 'own',
        now: '2026-03-01T00:00:00Z',
        pageSize: 1,
        fixtures: { organizations: [{ slug: 'lone', name: 'Lone', api_key: 'key_lone' }] },
      },
    })

    test('is another one', async ({ emulator }) => {
      urls.push(emulator.url)
      expect(emulator.url).not.toBe(urls[0])
      expect(await coursesOf(emulator, 'key_lone')).toEqual({ status: 200, courses: [] })
      await emulator.admin.advanceClock('1h')
    })

    test('which is reset too', async ({ emulator }) => {
      expect(emulator.url).toBe(urls[1])
      expect(await emulator.admin.clock()).toMatchObject({ now: '2026-03-01T00:00:00.000Z' })
    })
  })

  describe('with equal options that are written again', () => {
    test.override({
      emulatorOptions: {
        fixtures: { organizations: [{ slug: 'lone', name: 'Lone', api_key: 'key_lone' }] },
        pageSize: 1,
        now: '2026-03-01T00:00:00Z',
        seed: 'own',
      },
    })

    test('is the one that was started for them', ({ emulator }) => {
      expect(emulator.url).toBe(urls[1])
    })
  })

  describe('in concurrent tests', () => {
    const taken: string[] = []
    let both = () => {}
    const bothHaveOne = new Promise<void>((resolve) => {
      both = resolve
    })
    const distinct = async ({ emulator }: { emulator: Emulator }) => {
      taken.push(emulator.url)
      await emulator.admin.createOrganization({ slug: 'mine', name: 'Mine' })
      if (taken.length === 2) both()
      await bothHaveOne
      expect(await emulator.admin.getOrganization('mine')).toMatchObject({ name: 'Mine' })
      expect(new Set(taken).size).toBe(2)
    }
    test.concurrent('gives each one of its own', distinct)
    test.concurrent('which no other test resets', distinct)
  })

  test('can be extended', async ({ emulator }) => {
    expectTypeOf(test.extend<{ app: string }>({ app: 'notes' })).toHaveProperty('scoped')
    await expect(emulator.admin.getOrganization('none')).rejects.toThrow(AdminError)
  })

  test('has the types that are declared', () => {
    expectTypeOf(test).toEqualTypeOf<TestAPI<EmulatorFixtures>>()
  })
})
