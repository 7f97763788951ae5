import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InvalidOptionsError, StartError, startEmulator } from 'mockademy'
import { emulatorTest } from 'mockademy/vitest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issueAuthority } from '../../src/foundation/tls/certificates.js'
import { temporaryFolder } from '../harness/temporary-folder.js'

const before = process.cwd()
const project = temporaryFolder(afterAll)

/** A project with a world of its own, in whose folder `src` the tests work. */
beforeAll(async () => {
  await mkdir(join(project, 'src'))
  const organizations = [{ slug: 'solo', name: 'Solo', api_key: 'key_solo' }]
  const settings = { page_size: 7, rate_limit: 9, port: 1, store: 'of-start.json', webhook_ca: 'ca.pem' }
  const files = {
    'package.json': {},
    'world.json': { organizations },
    'mockademy.json': { settings, fixtures: 'world.json' },
    'bad.json': { settings: { page_size: 0 } },
    'odd.json': { setings: {} },
    'unknown.json': { settings: { page_sise: 7 } },
    'wrong.json': { fixtures: ['world.json', 7] },
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(project, name), JSON.stringify(content))
  await writeFile(join(project, 'ca.pem'), (await issueAuthority()).certificate)
  process.chdir(join(project, 'src'))
})

afterAll(() => process.chdir(before))

describe('mockademy.json beside package.json', () => {
  test('gives startEmulator fixtures and settings, but neither port nor store', async () => {
    await using emulator = await startEmulator({ rateLimit: 11 })
    const { settings, setting_sources, store } = await emulator.admin.world()
    expect(settings).toMatchObject({ page_size: 7, rate_limit: 11 })
    expect(setting_sources).toMatchObject({ port: 'default', store: 'default' })
    expect(store).toBe('memory')
    expect(settings.webhook_ca).toBe(join(project, 'ca.pem'))
    expect(emulator.env.PLATFORM_API_KEY).toBe('key_solo')
  })

  test('gives way to fixtures of the options', async () => {
    await using emulator = await startEmulator({ fixtures: { organizations: [{ slug: 'own', api_key: 'key_own' }] } })
    expect(emulator.env.PLATFORM_API_KEY).toBe('key_own')
    expect((await emulator.admin.world()).settings).toMatchObject({ page_size: 7 })
  })

  test('is not read with config: false, and another file is with its path', async () => {
    const emulator = await startEmulator({ config: false })
    expect(emulator.env.PLATFORM_API_KEY).toBe('key_acme')
    await emulator.close()
    const named = (name: string) => startEmulator({ config: join(project, name) })
    const bad = await named('bad.json').catch((error) => error)
    expect(bad).toBeInstanceOf(InvalidOptionsError)
    expect(bad.message).toContain(`${join(project, 'bad.json')}: settings.page_size must be`)
    const unknown = named('unknown.json')
    await expect(unknown).rejects.toThrow(/unknown\.json: settings\.page_sise is not a known field/)
    const odd = await named('odd.json').catch((error) => error)
    expect(odd).toBeInstanceOf(StartError)
    expect(odd.message).toMatch(/odd\.json: setings is not a known field; did you mean "settings"\?/)
    await expect(named('wrong.json')).rejects.toThrow(/wrong\.json: fixtures must be a file or an array of files$/)
    await writeFile(join(project, 'cut.json'), '{\n  "settings": {\n}')
    await expect(named('cut.json')).rejects.toThrow(/cut\.json: line 3: is not valid JSON: close brace expected$/)
    const message = expect.stringMatching(/none\.json cannot be read/)
    await expect(named('none.json')).rejects.toMatchObject({ code: 'ERR_START', message })
  })

  test('is not read in a project below, which has a package.json of its own', async () => {
    const below = join(project, 'src', 'below')
    await mkdir(below)
    await writeFile(join(below, 'package.json'), '{}')
    process.chdir(below)
    try {
      await using emulator = await startEmulator()
      expect(emulator.env.PLATFORM_API_KEY).toBe('key_acme')
    } finally {
      process.chdir(join(project, 'src'))
    }
  })

  // With options that no other file has: files share a process, which keeps an emulator for each set of options.
  const ownTest = emulatorTest.override({ emulatorOptions: { pageSize: 13 } })
  ownTest('is the world of emulatorTest', async ({ emulator }) => {
    expect(emulator.env.PLATFORM_API_KEY).toBe('key_solo')
  })
})
