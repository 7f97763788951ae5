import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { ROOT } from './command-line.js'

const fixture = async (name: string) => JSON.parse(await readFile(join(ROOT, 'fixtures', name), 'utf8'))

async function compile() {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  return ajv.compile(await fixture('schema.json'))
}

const withElement = (element: object) => ({
  organizations: [{ slug: 'x', courses: [{ name: 'C', modules: [{ name: 'M', elements: [element] }] }] }],
})

describe('fixtures/schema.json', () => {
  test('is what the validating schema says (run `npm run schema` when this fails)', async () => {
    const printed = execFileSync(process.execPath, [join(ROOT, 'dist', 'fixture-schema.js')], { encoding: 'utf8' })
    expect(await fixture('schema.json')).toEqual(JSON.parse(printed))
  })

  test.for(['default.json', 'minimal.json'])('accepts %s', async (name) => {
    const validate = await compile()
    validate(await fixture(name))
    expect(validate.errors).toBeNull()
  })

  test('knows the properties of each element type, and manifests', async () => {
    const validate = await compile()
    const video = { type: 'VIDEO', name: 'Film', properties: { video_url: 'https://videos.test/1' } }
    expect(validate(withElement(video))).toBe(true)
    expect(validate(withElement({ ...video, properties: { embed: '<b>' } }))).toBe(false)
    expect(validate(withElement({ ...video, type: 'FILM' }))).toBe(false)
    expect(validate(withElement({ ...video, name: '' }))).toBe(false)
    expect(validate({ apps: [{ manifest: { id: 'a', name: 'A', version: '1.0.0' } }] })).toBe(true)
    expect(validate({ apps: [{ manifest: { id: 'a', name: 'A' } }] })).toBe(false)
    expect(validate({ organisations: [] })).toBe(false)
  })
})

describe('the default world', () => {
  test('has three organizations, every role, users in several of them', async () => {
    const { organizations } = await fixture('default.json')
    expect(organizations).toHaveLength(3)
    const members: { user: string; role: string }[] = organizations.flatMap(
      ({ members }: { members: object[] }) => members,
    )
    expect(new Set(members.map(({ role }) => role))).toEqual(new Set(['owner', 'admin', 'lecturer', 'learner']))
    const users = members.map(({ user }) => user)
    expect(new Set(users.filter((user, index) => users.indexOf(user) !== index)).size).toBeGreaterThan(2)
  })

  test('has elements of all 28 types, individual and group activities', async () => {
    const text = await readFile(join(ROOT, 'fixtures', 'default.json'), 'utf8')
    const { organizations } = JSON.parse(text)
    type Element = { type: string; activities?: { member?: string; members?: string[] }[] }
    const elements: Element[] = organizations.flatMap(
      (organization: { courses: { modules?: { elements: Element[] }[] }[] }) =>
        organization.courses.flatMap(({ modules = [] }) => modules.flatMap(({ elements }) => elements)),
    )
    expect(new Set(elements.map(({ type }) => type)).size).toBe(28)
    const activities = elements.flatMap(({ activities = [] }) => activities)
    expect(activities.some(({ member }) => member)).toBe(true)
    expect(activities.some(({ members }) => members && members.length > 1)).toBe(true)
  })

  test('has a hybrid app and an install-only app, and an organization to install them in', async () => {
    const { organizations, apps, installations } = await fixture('default.json')
    const [hybrid, installOnly] = apps.map(({ manifest }: { manifest: { oauth: object } }) =>
      Object.keys(manifest.oauth),
    )
    expect(hybrid).toEqual(['install', 'authorize'])
    expect(installOnly).toEqual(['install'])
    const taken = installations.map(({ organization }: { organization: string }) => organization)
    expect(taken).not.toContain(organizations[0].slug)
  })
})
