import { linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from '../harness/command-line.js'
import { send } from '../harness/emulator-test.js'

const ARGUMENTS = ['start', '--port', '0']

describe.runIf(process.platform !== 'win32')('a folder that was checked out, with links in it', () => {
  test('none is followed where a temporary file is made, and nobody else may read the store', async ({
    folder,
    start,
  }) => {
    const victim = join(folder, 'victim')
    writeFileSync(victim, 'mine')
    const project = join(folder, 'project')
    mkdirSync(join(project, '.mockademy'), { recursive: true })
    for (const name of ['.store.json.tmp', '..store.json.tmp.tmp', 'store.json.journal.tmp', 'store.json.tmp']) {
      symlinkSync(victim, join(project, '.mockademy', name))
    }
    const { url, stop } = await start(ARGUMENTS, { cwd: project })
    expect((await send(`${url}/_admin/organizations`, { body: { slug: 'neo', name: 'Neo' } })).status).toBe(201)
    expect((await stop()).status).toBe(0)
    expect(readFileSync(victim, 'utf8')).toBe('mine')
    expect(statSync(join(project, '.mockademy', 'store.json')).mode & 0o777).toBe(0o600)
    // The folder was there, and what is in it belongs to its author.
    expect(readdirSync(join(project, '.mockademy'))).not.toContain('.gitignore')
  })

  test.for<[string, (project: string, elsewhere: string) => string]>([
    [
      'the folder',
      (project, elsewhere) => {
        symlinkSync(elsewhere, join(project, '.mockademy'))
        return elsewhere
      },
    ],
    [
      'the store',
      (project, elsewhere) => {
        mkdirSync(join(project, '.mockademy'))
        symlinkSync(join(elsewhere, 'new', 'precious.json'), join(project, '.mockademy', 'store.json'))
        return elsewhere
      },
    ],
    [
      'the store, by a link to a link',
      (project, elsewhere) => {
        mkdirSync(join(project, '.mockademy'))
        symlinkSync(elsewhere, join(project, 'inner'))
        symlinkSync('../inner/new/precious.json', join(project, '.mockademy', 'store.json'))
        return elsewhere
      },
    ],
    ...['journal', 'lock'].map((part): [string, (project: string, elsewhere: string) => string] => [
      `the ${part}`,
      (project, elsewhere) => {
        mkdirSync(join(project, '.mockademy'))
        const link = join(project, '.mockademy', `store.json.${part}`)
        symlinkSync(join(elsewhere, 'precious'), link)
        return link
      },
    ]),
  ])('%s that leads out of it is refused by name, and nothing is written there', async ([, plant], { folder, run }) => {
    const [project, elsewhere] = [join(folder, 'project'), join(folder, 'elsewhere')]
    mkdirSync(project)
    mkdirSync(elsewhere)
    writeFileSync(join(elsewhere, 'precious'), 'mine')
    const name = plant(project, elsewhere)
    const { status, stderr } = await run(ARGUMENTS, { cwd: project })
    expect(status).toBe(2)
    expect(stderr).toContain('is refused')
    expect(stderr).toContain(name)
    expect(readdirSync(elsewhere)).toEqual(['precious'])
    expect(readFileSync(join(elsewhere, 'precious'), 'utf8')).toBe('mine')
  })

  test('so is one on the way to the store that its mockademy.json names', async ({ folder, run, start }) => {
    const [project, elsewhere] = [join(folder, 'project'), join(folder, 'elsewhere')]
    mkdirSync(project)
    mkdirSync(elsewhere)
    symlinkSync(elsewhere, join(project, 'state'))
    const name = (store: string) =>
      writeFileSync(join(project, 'mockademy.json'), JSON.stringify({ settings: { store } }))
    name('state/store.json')
    const { status, stderr } = await run(ARGUMENTS, { cwd: project })
    expect(status).toBe(2)
    expect(stderr).toContain(elsewhere)
    expect(readdirSync(elsewhere)).toEqual([])

    // No link is involved.
    name('../elsewhere/store.json')
    expect((await (await start(ARGUMENTS, { cwd: project })).stop()).status).toBe(0)
    expect(readdirSync(elsewhere)).toEqual(['store.json'])
  })

  test('a link that stays within it is followed, and one that --store names', async ({ folder, start }) => {
    const [project, elsewhere] = [join(folder, 'project'), join(folder, 'elsewhere')]
    mkdirSync(join(project, 'state'), { recursive: true })
    mkdirSync(elsewhere)
    symlinkSync('state', join(project, '.mockademy'))
    expect((await (await start(ARGUMENTS, { cwd: project })).stop()).status).toBe(0)
    expect(readdirSync(join(project, 'state'))).toEqual(['store.json'])

    symlinkSync(elsewhere, join(project, 'linked'))
    const named = await start([...ARGUMENTS, '--store', 'linked/store.json'], { cwd: project })
    expect((await named.stop()).status).toBe(0)
    expect(readdirSync(elsewhere)).toEqual(['store.json'])
  })

  test('a hard link keeps what it had: the store becomes another file', async ({ folder, start }) => {
    const args = [...ARGUMENTS, '--store', join(folder, 'store.json')]
    expect((await (await start(args)).stop()).status).toBe(0)
    linkSync(join(folder, 'store.json'), join(folder, 'linked.json'))
    const before = readFileSync(join(folder, 'linked.json'), 'utf8')
    const { url, stop } = await start(args)
    expect((await send(`${url}/_admin/organizations`, { body: { slug: 'neo', name: 'Neo' } })).status).toBe(201)
    expect((await stop()).status).toBe(0)
    expect(readFileSync(join(folder, 'linked.json'), 'utf8')).toBe(before)
    expect(readFileSync(join(folder, 'store.json'), 'utf8')).toContain('"neo"')
  })
})
