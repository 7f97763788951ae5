import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type FixtureDocument, startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import type { PullProgress } from '../../src/programs/real-platform/pull.js'
import { test as commandLine } from '../harness/command-line.js'
import { contentsOf, type Document, test } from './platform-test.js'

/** Words that would give a person away. None of them is in any other part of the world. */
const CANARIES = [
  ...['Canaryfirst', 'Canarylast', 'canary@private.example', 'canary-portrait', 'canaryanswer', 'canarynested'],
  ...['canaryphone', 'canarycohort', '491701234567', 'canaryfile', 'canaryfull', 'canary_key.with@dots'],
]

const KEY = 'key_canary_0123456789'

const world: FixtureDocument = {
  users: [
    { id: 'ann', email: 'ann@private.example', first_name: 'Ann', last_name: 'Canarylast' },
    {
      id: 'bob',
      email: 'canary@private.example',
      first_name: 'Canaryfirst',
      last_name: 'Canarylast',
      full_name: 'Canaryfirst canaryfull',
      avatar: 'https://portraits.example/canary-portrait.png',
    },
  ],
  organizations: [
    {
      slug: 'private',
      api_key: KEY,
      members: [{ user: 'ann', role: 'owner' }, { user: 'bob' }],
      courses: [
        {
          id: 'course',
          name: `A course about ${KEY}`,
          members: [
            {
              user: 'bob',
              custom_fields: { phone: 'canaryphone', team: ['canarycohort'], number: 491701234567, agreed: true },
            },
          ],
          modules: [
            {
              id: 'module',
              name: 'Module',
              elements: [
                {
                  id: 'form',
                  type: 'FORM',
                  name: 'Form',
                  properties: {
                    questions: [
                      { id: 'free', type: 'TEXT', text: 'Who are you?' },
                      { id: 'scale', type: 'NUMBER_SCALE', text: 'How much?' },
                      {
                        id: 'choice',
                        type: 'MULTIPLE_CHOICE',
                        text: 'Which?',
                        options: [
                          { id: 'one', text: 'The first' },
                          { id: 'two', text: 'The second' },
                        ],
                      },
                    ],
                  },
                  activities: [
                    { id: 'earliest', member: 'ann' },
                    {
                      id: 'answered',
                      member: 'bob',
                      responses: [
                        { question: 'free', value: 'I am Canaryfirst, canaryanswer, of this town' },
                        { question: 'free', value: { note: 'canarynested', 'canary_key.with@dots': 491701234567 } },
                        { question: 'free', value: 'https://files.example/canaryfile.pdf' },
                        { question: 'scale', value: 7 },
                        { question: 'choice', value: ['one', 'canaryanswer'] },
                        { question: null, value: 'The first' },
                      ],
                    },
                    { id: 'together', members: ['ann', 'bob'] },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
  ],
}

const found = (text: string) => [...CANARIES, KEY].filter((canary) => text.includes(canary))

describe('people of a pull', () => {
  test.override({ world, settings: { pageSize: 1 } })

  test('are made up: nothing of them, and no key, is in the document or in what is told', async ({
    pullFrom,
    folder,
  }) => {
    const told: PullProgress[] = []
    const { document: _, ...report } = await pullFrom({
      apiKey: KEY,
      onProgress: (progress) => void told.push(progress),
    })
    expect(found((await contentsOf(folder)) + JSON.stringify({ report, told }))).toEqual([])
  })

  test('are made up before an interrupted pull keeps anything', async ({ pullFrom, folder }) => {
    const stop = new AbortController()
    const onProgress = (progress: PullProgress) => {
      if ('list' in progress && progress.list === 'activities' && progress.count === 2) stop.abort()
    }
    const failure = await pullFrom({ apiKey: KEY, signal: stop.signal, onProgress }).catch((error: Error) => error)
    expect(failure).toBeInstanceOf(Error)
    const kept = await contentsOf(join(folder, 'world.json.pull'))
    expect(kept).toContain('"answered"')
    expect(found(kept + String((failure as Error).stack))).toEqual([])
  })

  test('are the same wherever they are met, and in every pull', async ({ pullFrom, folder }) => {
    const { document } = await pullFrom({ apiKey: KEY })
    const again = await pullFrom({ apiKey: KEY, out: join(folder, 'again.json') })
    expect(again.document).toEqual(document)
    expect(document.users.map(({ id }: Document) => id)).toEqual(['ann', 'bob'])
    const emails = document.users.map(({ email }: Document) => email)
    expect(new Set(emails).size).toBe(2)
    for (const email of emails) expect(email).toMatch(/^[a-z]+\.[a-z]+\.[a-z0-9]{10}@people\.example$/)
    expect(document.users[1].full_name).toBe(`${document.users[1].first_name} ${document.users[1].last_name}`)
  })

  test('keep what they chose, as nobody wrote that, and lose what they wrote', async ({ pullFrom }) => {
    const { document } = await pullFrom({ apiKey: KEY })
    const [course] = document.organizations[0].courses
    const [, answered, together] = course.modules[0].elements[0].activities
    const values = answered.responses.map(({ value }: Document) => value)
    expect(values[0].split(' ')).toHaveLength(7)
    expect(Object.keys(values[1])).toEqual(['note', 'field_2'])
    expect(values[2]).toMatch(/^https:\/\/files\.example\/[a-z0-9]{10}$/)
    expect(values[3]).toBe(7)
    expect(values[4][0]).toBe('one')
    expect(answered.responses.map(({ question }: Document) => question)).toEqual([
      'free',
      'free',
      'free',
      'scale',
      'choice',
      null,
    ])
    expect(together.members).toEqual(['ann', 'bob'])
    expect(course.members[0].custom_fields).toMatchObject({ number: 0, agreed: true })
    await (await startEmulator({ fixtures: document })).close()
  })

  test('are kept but for an address that no world takes', async ({ emulator, between, pullFrom }) => {
    const addresses = new Map([['bob', 'ANN@private.example']])
    const base = await between(emulator.url, ({ path, body }) => {
      if (path !== '/v0/members') return
      for (const item of body.payload.data) item.email = addresses.get(item.id) ?? item.email
    })
    const pull = async () => {
      const { document, approximations } = await pullFrom({ base, apiKey: KEY, keepPeople: true })
      await (await startEmulator({ fixtures: document })).close()
      expect(document.users.map(({ email }: Document) => email)).toEqual([
        'ann@private.example',
        expect.stringMatching(/@people\.example$/),
      ])
      return approximations
    }
    const note = { resource: 'members', field: 'email', count: 1, ids: ['bob'] }
    const [taken, invalid] = ['that of another member', 'not an email address']
    expect(await pull()).toEqual([{ ...note, what: `is ${taken}; replaced by an invented one` }])
    addresses.set('bob', `${'b'.repeat(250)}@private.example`)
    expect(await pull()).toEqual([{ ...note, what: `is ${invalid}; replaced by an invented one` }])
  })

  test('are kept when that is asked for, in a file that is its owner’s alone', async ({ pullFrom, folder }) => {
    const { document } = await pullFrom({ apiKey: KEY, keepPeople: true })
    const text = await contentsOf(folder)
    expect(CANARIES.filter((canary) => !text.includes(canary))).toEqual([])
    expect(text).not.toContain(KEY)
    expect((await stat(join(folder, 'world.json'))).mode & 0o777).toBe(0o600)
    expect(document.users[1].email).toBe('canary@private.example')
    expect(Object.keys(document.users[1]).at(-1)).toBe('email_verified')
  })
})

describe('the command line of a pull', () => {
  commandLine('shows neither key nor person, whether it succeeds or fails', async ({ run, folder }) => {
    await using emulator = await startEmulator({ fixtures: world, seed: 'people' })
    const pull = (key: string, ...more: string[]) =>
      run(['pull', '--from', emulator.url, '--api-key', key, '--requests-per-second', '0', ...more])
    const succeeded = await pull(KEY, '--organization', 'school', '--name', 'Evening School')
    expect(succeeded.status).toBe(0)
    const [organization] = JSON.parse(await readFile(join(folder, 'world.json'), 'utf8')).organizations
    expect(organization).toMatchObject({ slug: 'school', name: 'Evening School' })
    const refused = await pull(`${KEY}_wrong`)
    expect(refused.status).toBe(1)
    const failed = await pull(KEY, '--course', 'nowhere')
    expect(failed.status).toBe(1)
    const misused = await pull(KEY, '--api-key', KEY)
    expect(misused.status).toBe(2)
    const outputs = [succeeded, refused, failed, misused].map(({ stdout, stderr }) => stdout + stderr).join('\n')
    expect(found(outputs + (await contentsOf(folder)))).toEqual([])
  })
})
