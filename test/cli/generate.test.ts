import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type FixtureDocument, startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { ROOT, oneProcessTest as test } from '../harness/command-line.js'
import { schemaValidator } from '../harness/schema-validator.js'

const sizes = ['--organizations', '2', '--courses', '4', '--elements', '124', '--members', '25', '--activities', '90']

describe('mockademy generate', () => {
  test('the same seed and numbers give the same bytes, another seed another world', async ({ run }) => {
    const [one, two, other] = await Promise.all(
      ['a', 'a', 'b'].map((seed) => run(['generate', '--seed', seed, ...sizes])),
    )
    expect(one).toMatchObject({ status: 0, stderr: '' })
    expect(two?.stdout).toBe(one?.stdout)
    expect(other?.stdout).not.toBe(one?.stdout)
    expect(JSON.parse(other?.stdout ?? '').organizations).toHaveLength(2)
  })

  test('the document holds what was asked for, of every element type', async ({ run }) => {
    const { stdout } = await run(['generate', ...sizes])
    const { $schema, users, organizations = [] } = JSON.parse(stdout) as FixtureDocument
    expect($schema).toBe('./node_modules/mockademy/fixtures/schema.json')
    expect(users).toHaveLength(50)
    for (const { api_key, slug, members = [], courses = [] } of organizations) {
      expect(api_key).toBe(`key_${slug}`)
      expect(members).toHaveLength(25)
      expect(members.slice(0, 3).map(({ role }) => role)).toEqual(['owner', 'admin', 'lecturer'])
      expect(courses).toHaveLength(4)
      const elements = courses.flatMap(({ modules = [] }) => modules.flatMap(({ elements = [] }) => elements))
      expect(elements).toHaveLength(124)
      expect(new Set(elements.map(({ type }) => type)).size).toBe(28)
      const activities = elements.flatMap((element) => element.activities ?? [])
      expect(activities).toHaveLength(90)
      const graded = activities.filter(({ status }) => status === 'graded')
      expect(new Set(graded.map(({ passed }) => passed))).toEqual(new Set([true, false]))
      for (const { passed, score } of graded) expect({ score, passed }).toEqual({ score, passed: Number(score) >= 60 })
    }
  })

  test('it is valid by command and schema, and an emulator starts with it', async ({ run, folder }) => {
    const file = join(folder, 'world.json')
    const { status, stdout, stderr } = await run(['generate', ...sizes, '--out', file])
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
    expect(await run(['validate', file])).toMatchObject({ status: 0, stdout: `${file}: valid\n` })
    const ajv = schemaValidator()
    const schema = JSON.parse(await readFile(join(ROOT, 'fixtures', 'schema.json'), 'utf8'))
    const document = JSON.parse(await readFile(file, 'utf8'))
    const [{ slug, api_key }] = document.organizations
    expect(stderr).toContain(`: written, with ${slug} (API key ${api_key}) and 1 more organization. Start with it: `)
    expect(ajv.validate(schema, document) || ajv.errors).toBe(true)

    await using emulator = await startEmulator({ fixtures: file })
    const { counts } = await emulator.admin.world()
    expect(counts).toMatchObject({ organizations: 2, users: 50, courses: 8, elements: 248, activities: 180 })
    const answer = await fetch(`${emulator.url}/v0/courses/course-2-3`, {
      headers: { authorization: `Bearer ${document.organizations[1].api_key}` },
    })
    expect(answer.status).toBe(200)
  })

  test.for([
    '--organizations 0',
    '--members 0 --activities 0',
    '--courses 0 --elements 0 --activities 0',
    '--courses 7 --members 2 --elements 5',
    '--courses 1 --members 1',
  ])('%s is valid too', async (flags, { run, folder }) => {
    await run(['generate', ...flags.split(' '), '--out', 'new/world.json'])
    expect(await run(['validate', join(folder, 'new/world.json')])).toMatchObject({ status: 0 })
  })

  test('its size costs no memory', async ({ launch }) => {
    const env = { NODE_OPTIONS: '--max-old-space-size=20' }
    const { status, stdout } = await launch(['generate', '--elements', '100000', '--activities', '25000'], { env })
      .ended
    expect(status).toBe(0)
    expect(stdout.length).toBeGreaterThan(25_000_000)
  })

  test('a reader that has had enough ends it quietly', async ({ launch }) => {
    const { child, ended } = launch(['generate', '--elements', '100000'])
    await once(child.stdout as NodeJS.ReadableStream, 'data')
    child.stdout?.destroy()
    expect(await ended).toMatchObject({ status: 0, signal: null, stderr: '' })
  })

  test('--out writes through a link; - is standard output', async ({ run, folder }) => {
    await writeFile(join(folder, 'target.json'), 'old')
    await symlink('target.json', join(folder, 'link.json'))
    await run(['generate', '--elements', '1', '--out', 'link.json'])
    expect((await lstat(join(folder, 'link.json'))).isSymbolicLink()).toBe(true)
    const { stdout } = await run(['generate', '--elements', '1', '--out', '-'])
    expect(await readFile(join(folder, 'target.json'), 'utf8')).toBe(stdout)
    expect(JSON.parse(stdout).organizations).toHaveLength(1)
    expect((await readdir(folder)).sort()).toEqual(['link.json', 'target.json'])
  })

  test.skipIf(process.platform === 'win32')('--out writes into a pipe', async ({ launch, folder }) => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const { ended } = launch(['generate', '--elements', '1', '--out', 'pipe'])
    expect(JSON.parse(await readFile(pipe, 'utf8')).organizations).toHaveLength(1)
    expect(await ended).toMatchObject({ status: 0 })
    expect((await lstat(pipe)).isFIFO()).toBe(true)
  })

  test('what cannot be written leaves nothing behind', async ({ run, folder }) => {
    await mkdir(join(folder, 'taken'))
    await writeFile(join(folder, 'taken', 'file'), '')
    const { status, stderr } = await run(['generate', '--out', 'taken'])
    expect(status).toBe(2)
    expect(stderr).toMatch(/^mockademy: taken cannot be written: /)
    expect(await readdir(folder)).toEqual(['taken'])
  })

  test.for([
    ['--elements -3', '--elements "-3": must be a whole number, 0 or more'],
    ['--members many', '--members "many": must be a whole number, 0 or more'],
    ['--courses 0', '--elements 60: needs at least one course; give --courses'],
    ['--members 0', '--activities 100: needs elements and members; give --activities 0, or --elements and --members'],
    ['--seed 1 --seed 2', '--seed is given twice, as "1" and "2": leave one of them out'],
  ])('%s is refused', async ([flags, message], { run }) => {
    expect(await run(['generate', ...(flags as string).split(' ')])).toEqual({
      status: 2,
      signal: null,
      stdout: '',
      stderr: `mockademy: ${message}\n`,
    })
  })
})
