import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { ROOT } from '../harness/command-line.js'
import { send } from '../harness/emulator-test.js'
import { type Document, listOf, test } from './platform-test.js'

const defaultWorld = JSON.parse(await readFile(join(ROOT, 'fixtures', 'default.json'), 'utf8'))

const withoutPerson = ({ first_name, last_name, full_name, email, avatar, ...rest }: Document) => rest

/** Returns the part of an export that `/v0` shows, without sequence numbers, roles and credentials. */
function shownIn(document: Document, { people }: { people: boolean }) {
  const organization = document.organizations.find(({ slug }: Document) => slug === 'acme')
  const clean = (value: Document): Document => {
    if (Array.isArray(value)) return value.map(clean)
    if (typeof value !== 'object' || value === null) return value
    const { sequence: _, ...rest } = value
    return Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, clean(inner)]))
  }
  const members = organization.members.map(({ user, created_at }: Document) => ({ user, created_at }))
  const ids = new Set(members.map(({ user }: Document) => user))
  const answers = (activity: Document) => ({
    ...activity,
    responses: people ? activity.responses : activity.responses.map(({ question }: Document) => question),
  })
  const courses = organization.courses.map((course: Document) => ({
    ...course,
    members: people ? course.members : course.members.map(({ custom_fields, ...member }: Document) => member),
    modules: course.modules.map((module: Document) => ({
      ...module,
      elements: module.elements.map((element: Document) => ({
        ...element,
        activities: element.activities.map(answers),
      })),
    })),
  }))
  const users = document.users
    .filter(({ id }: Document) => ids.has(id))
    .map(({ created_at: _, organizations: __, ...user }: Document) => (people ? user : withoutPerson(user)))
    .sort((one: Document, other: Document) => one.id.localeCompare(other.id))
  const { element_type_names } = document.settings ?? {}
  return clean({ element_type_names, users, name: organization.name, members, courses })
}

describe('a pull from another Mockademy', () => {
  test.override({ world: defaultWorld })

  test('gives the world of its own export, but for what /v0 does not show', async ({ emulator, pullFrom }) => {
    const [{ id }] = await listOf(emulator.url, '/v0/elements')
    const moved = { as: 'key_acme', method: 'PUT', body: { position: 0 } }
    expect((await send(`${emulator.url}/v0/elements/${id}`, moved)).status).toBe(200)
    const { document, approximations } = await pullFrom({ keepPeople: true })
    expect(approximations).toEqual([])
    const { body: exported } = await send(`${emulator.url}/_admin/state`)
    expect(shownIn(document, { people: true })).toEqual(shownIn(exported, { people: true }))
  })

  test('gives the same with invented people', async ({ emulator, pullFrom }) => {
    const { document } = await pullFrom()
    const { body: exported } = await send(`${emulator.url}/_admin/state`)
    expect(shownIn(document, { people: false })).toEqual(shownIn(exported, { people: false }))
  })

  test('starts another emulator that answers alike', async ({ emulator, pullFrom }) => {
    const { document } = await pullFrom({ keepPeople: true })
    await using other = await startEmulator({ fixtures: document, seed: 'other' })
    const lists = ['/v0/courses', '/v0/modules', '/v0/elements', '/v0/members', '/v0/activities']
    for (const list of [...lists, '/v0/courses/writing/members']) {
      expect(await listOf(other.url, list, 'test_key_acme')).toEqual(await listOf(emulator.url, list))
    }
  })

  test('makes the oldest member the owner, so that apps can be installed', async ({ pullFrom }) => {
    const { document } = await pullFrom()
    const [organization] = document.organizations
    expect(organization.members.map(({ role }: Document) => role)).toEqual(['owner', ...Array(5).fill('learner')])
    expect(organization.api_key).toBe('test_key_acme')
  })

  test('makes the oldest the owner also where lists are in another order', async ({ emulator, pullFrom }) => {
    await emulator.admin.setLiberties({ seed: '1', kinds: ['ties'] })
    const { members } = (await pullFrom()).document.organizations[0]
    const times = members.map(({ created_at }: Document) => created_at)
    expect(times).toEqual([...times].sort())
    expect(new Set(times).size).toBeGreaterThan(1)
  })

  test('counts what it has read', async ({ pullFrom }) => {
    const { counts } = await pullFrom()
    expect(counts).toEqual({
      courses: 3,
      modules: 4,
      elements: 28,
      members: 6,
      course_members: 8,
      activities: 14,
    })
  })

  test('tells its progress, list by list', async ({ pullFrom }) => {
    const told: string[] = []
    await pullFrom({
      onProgress: (progress) => void ('list' in progress && told.push(`${progress.list} ${progress.count}`)),
    })
    expect(new Set(told.map((line) => line.split(' ')[0]))).toEqual(
      new Set(['courses', 'modules', 'elements', 'members', 'course_members', 'activities']),
    )
    expect(told).toContain('elements 28')
  })

  describe('with other settings', () => {
    test.override({
      settings: {
        pageSize: 3,
        headerPrefix: 'Other',
        rateLimit: 4,
        elementTypeNames: { MEETING_PROVIDER_A: 'Zoom call', QUIZ: 'EXAM' },
      },
    })

    test('follows every page, waits as the rate limit says, and knows the types by their own names', async ({
      emulator,
      pullFrom,
      watch,
    }) => {
      watch.onWait = async (by) => void (await send(`${emulator.url}/_admin/clock/advance`, { body: { by } }))
      const { document } = await pullFrom({ keepPeople: true })
      const { body: exported } = await send(`${emulator.url}/_admin/state`)
      expect(shownIn(document, { people: true })).toEqual(shownIn(exported, { people: true }))
      expect(document.settings).toEqual({ element_type_names: { MEETING_PROVIDER_A: 'Zoom call', QUIZ: 'EXAM' } })
      expect(new Set(watch.waits)).toEqual(new Set([60_000]))
    })

    test('knows the types by names that only a discriminator has', async ({ emulator, between, pullFrom, watch }) => {
      watch.onWait = async (by) => void (await send(`${emulator.url}/_admin/clock/advance`, { body: { by } }))
      const withoutEnumerations = (key: string, value: unknown) => (key === 'enum' ? undefined : value)
      const base = await between(emulator.url, (passing) => {
        if (passing.path === '/v0/openapi.json')
          passing.body = JSON.parse(JSON.stringify(passing.body, withoutEnumerations))
        if (passing.path === '/v0/elements/search') passing.body = { error: 'Validation failed', payload: null }
      })
      const { document } = await pullFrom({ base })
      expect(document.settings).toEqual({ element_type_names: { MEETING_PROVIDER_A: 'Zoom call', QUIZ: 'EXAM' } })
    })
  })

  test('reads only the courses that are named, and keeps only whoever has to do with them', async ({ pullFrom }) => {
    const { document } = await pullFrom({ courses: ['teamwork'] })
    const [{ courses, members }] = document.organizations
    expect(courses.map(({ id }: Document) => id)).toEqual(['teamwork'])
    const whole = defaultWorld.organizations[0].courses.find(({ id }: Document) => id === 'teamwork')
    expect(courses[0].modules.map(({ id }: Document) => id)).toEqual(whole.modules.map(({ id }: Document) => id))
    expect(members.length).toBeGreaterThan(0)
    expect(members.length).toBeLessThan(6)
    await expect(startEmulator({ fixtures: document }).then((other) => other.close())).resolves.toBeUndefined()
  })

  test('reads nothing for a file that is a folder or a link to none, and writes through other links', async ({
    emulator,
    folder,
    pullFrom,
  }) => {
    await expect(pullFrom({ out: folder })).rejects.toMatchObject({
      exitStatus: 2,
      message: `${folder} is not a regular file; name a file`,
    })
    expect((await send(`${emulator.url}/_admin/requests?surface=api`)).body.data).toEqual([])
    expect(existsSync(`${folder}.pull`)).toBe(false)

    const [link, target] = [join(folder, 'link.json'), join(folder, 'target.json')]
    symlinkSync(target, link)
    await expect(pullFrom({ out: link })).rejects.toMatchObject({ exitStatus: 2 })
    writeFileSync(target, 'old')
    await pullFrom({ out: link })
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(JSON.parse(readFileSync(target, 'utf8')).organizations).toHaveLength(1)
  })

  test.for(['/proc/world.json', `${fileURLToPath(import.meta.url)}/world.json`])(
    'is refused where its folder cannot be made: %s',
    async (out, { pullFrom }) => {
      await expect(pullFrom({ out })).rejects.toMatchObject({
        exitStatus: 2,
        message: expect.stringMatching(`^${out}.pull cannot be written: `),
      })
    },
  )

  test('leaves what was beside its own progress, and refuses a file in its place', async ({ pullFrom, folder }) => {
    const out = join(folder, 'world.json')
    mkdirSync(`${out}.pull`)
    writeFileSync(join(`${out}.pull`, 'notes.txt'), 'mine')
    await pullFrom({ out })
    expect(readdirSync(`${out}.pull`)).toEqual(['notes.txt'])

    writeFileSync(join(folder, 'other.json.pull'), 'mine')
    const other = join(folder, 'other.json')
    await expect(pullFrom({ out: other })).rejects.toMatchObject({
      exitStatus: 2,
      message: `${other}.pull cannot be written: it is not a folder; move it away`,
    })
    expect(readFileSync(`${other}.pull`, 'utf8')).toBe('mine')
  })

  test('says which course there is not', async ({ pullFrom }) => {
    await expect(pullFrom({ courses: ['nowhere'] })).rejects.toMatchObject({
      exitStatus: 1,
      message:
        'GET /v0/courses/nowhere returned status 404: there is no such record, or --from is not the address of the API',
    })
  })
})
