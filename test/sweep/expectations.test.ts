import { describe, expect, test } from 'vitest'
import { rules } from '../../src/control/findings/rules.js'
import { createSecrets } from '../../src/programs/audit/app/secrets.js'
import type { AuditContext } from '../../src/programs/audit/context/context.js'
import type { Tenant } from '../../src/programs/audit/context/tenant.js'
import { attempt, type Subject } from '../../src/programs/sweep/actions.js'
import { watchOrganization } from '../../src/programs/sweep/organization-watch.js'
import { createReducer } from '../../src/programs/sweep/reduce.js'
import { reduceAll } from '../../src/programs/sweep/reduce-all.js'
import type { CaseResult } from '../../src/programs/sweep/report.js'
import { type CaseRun, harmsIn } from '../../src/programs/sweep/run-case.js'
import { remedyOf } from '../../src/programs/sweep/troubles.js'
import { verdictOf } from '../../src/programs/sweep/verdicts.js'

/** The subject of a case in `run-0001`, of whose world only this is asked for. */
const subjectWith = ({ context = {}, tenant = {}, browser = {} }: { [part in keyof Subject]?: object }) =>
  ({ context, tenant: { slug: 'run-0001', ...tenant }, browser }) as unknown as Subject

describe('the expectation of', () => {
  test.for([
    ['acknowledged', true, 'every event is acknowledged'],
    ['retrying', false, 'b is retrying'],
    ['failed', false, 'b is failed'],
  ] as const)('events, one of which is %s', async ([state, holds, seen]) => {
    const deliveries = [
      { event: { type: 'a' }, state: 'acknowledged' },
      { event: { type: 'b' }, state },
    ]
    const context = { platform: { admin: { listDeliveries: async () => deliveries } } }
    expect(await attempt('acknowledged', subjectWith({ context }))).toMatchObject({ holds, seen })
  })

  test.for([
    ['ada', true, undefined],
    ['bob', false, 'the browser is signed in as somebody else'],
  ] as const)('a sign-in, after which the browser shows %s', async ([user, holds, harm]) => {
    const own = { slug: 'run-0001', user: { id: 'ada' } }
    const whoami = { url: 'http://app.test/me', signed_in: { status: 200, user: '/user' } }
    const response = { headers: {}, body: JSON.stringify({ user }) }
    const browser = { signIn: async () => undefined, get: async () => ({ status: 200, error: null, response }) }
    const made = [own, { slug: 'run-0002', user: { id: 'bob' } }]
    const subject = { context: { file: { whoami }, platform: { made } }, tenant: own, browser } as unknown as Subject
    expect(await attempt('sign-in', subject)).toMatchObject({ holds, harm })
  })
})

test.for([
  [1, '1 access token expired'],
  [2, '2 access tokens expired'],
] as const)('a step in which %d expired says so', async ([affected, seen]) => {
  const tenant = { expireTokens: async () => ({ affected }) }
  expect(await attempt('expire', subjectWith({ tenant }))).toMatchObject({ holds: true, seen })
})

test('a failure that there was no time to reduce has the behavior of a good app too', async () => {
  const point = { surface: 'webhook', operation: 'app.installed', match: {}, occurrence: 1, step: 0 } as const
  const breaks = [{ point, trouble: 'again-later' }] as const
  const plan = { flow: 'install', steps: ['install'], points: [], breaks } as const
  const id = 'install/app.installed#1/again-later'
  const result: CaseResult = { id, verdict: 'harmful', message: '', trouble: '', steps: [], entries: [] }
  const reducer = { reduce: async () => undefined }
  const unreduced = await reduceAll({} as AuditContext, reducer, [plan], new Map([[id, result]]), {})
  expect(unreduced).toBe(1)
  expect(result.expected).toMatch(/recognize an event that arrives again by its id, as .* webhook\.duplicate checks\.$/)
})

/** The times of requests: one each 100 ms. */
const every100 = (from: number, to: number) => Array.from({ length: (to - from) / 100 }, (_, at) => from + at * 100)

// The undisturbed organization is installed at 0, its flow takes 1 s; the case is installed at 60 s and judged at 63 s.
test.for([
  ['its schedule in each organization', every100(0, 90_000), every100(60_000, 63_000), 'healed'],
  [
    'a storm beside its schedule',
    every100(0, 90_000),
    [...every100(60_000, 63_000), ...Array(120).fill(61_000)],
    'harmful',
  ],
  ['its schedule for all organizations', [0, ...Array(80).fill(62_000)], [60_000, ...Array(80).fill(62_000)], 'healed'],
  ['what follows an installation by 2 s', [0, ...Array(80).fill(2_000)], [60_000, ...Array(80).fill(62_000)], 'healed'],
  [
    'a storm as large as what comes later',
    [0, ...Array(80).fill(70_000)],
    [60_000, ...Array(80).fill(62_000)],
    'harmful',
  ],
] as const)('an app that makes %s', ([, calm, requests, verdict]) => {
  const plan = { flow: 'install', steps: ['install'], points: [], breaks: [] } as const
  const judged = { begun: 60_000, judgedAt: 63_000, requests: [...requests], ofFlow: requests.length, findings: [] }
  const undisturbed = {
    begun: 0,
    judgedAt: 90_000,
    requests: [...calm],
    ofFlow: calm.filter((at) => at < 1_000).length,
    findings: [],
  }
  const run = { fired: true, held: 0, steps: [{ holds: false }], harms: [], judged, last: {} } as unknown as CaseRun
  expect(verdictOf(plan, run, [undisturbed])).toMatchObject({ verdict })
})

test.for([
  ['stranded', 'call_after_uninstall', undefined],
  ['harmful', 'call_after_uninstall', 0],
  ['harmful', 'token_in_url', undefined],
] as const)('the verdict is %s on %s and a try that holds: %s, however fast the tries are', ([verdict, rule, held]) => {
  const findings = [{ rule, section: 'spec: §3', message: `A request. ${rules[rule].explanation}` }]
  const judged = { begun: 0, judgedAt: 1_000, requests: [0], ofFlow: 1, findings }
  const run = { fired: true, held, last: { seen: 'status 503' }, steps: [], harms: [], judged } as unknown as CaseRun
  const plan = { flow: 'uninstall', steps: [], breaks: [], points: [] } as const
  const harm = { message: expect.stringMatching(/^A request($|; and it)/), expected: rules[rule].explanation }
  expect(verdictOf(plan, run, [{ ...judged, findings: [] }])).toMatchObject({
    verdict,
    ...(verdict === 'harmful' && harm),
  })
})

test('an organization is judged by its requests until now; those of its flow are the ones before it was first judged', async () => {
  const listed: object[] = []
  const request = (id: number) =>
    listed.push({ id, surface: 'api', at: new Date(id * 1_000).toISOString(), response: { headers: {} } })
  const admin = {
    listRequests: async ({ since }: { since: number }) => listed.slice(since),
    listFindings: async () => [],
  }
  const tenant = { slug: 'run-0001' } as Tenant
  const watch = watchOrganization({ platform: { admin } } as unknown as AuditContext, tenant)
  request(1)
  expect(await watch.judge()).toMatchObject({ requests: [1_000], ofFlow: 1 })
  request(2)
  request(3)
  expect(await watch.judge()).toMatchObject({ requests: [1_000, 2_000, 3_000], ofFlow: 1 })
  expect(watch.takeEntries()).toEqual([])
})

test('a case is not reduced once the time is over', async () => {
  const never = () => expect.fail('a run')
  const plan = { flow: 'install', steps: ['install'], breaks: [], points: [] } as const
  const reducer = createReducer({ wait: never }, { run: never, hasRoom: never }, never, () => true)
  expect(await reducer.reduce(plan, { verdict: 'stranded', message: '' })).toBeUndefined()
})

test.for([
  ['install', 'slow', {}, /^Treat the end of a time limit .* Mark an event as handled only once its work/],
  ['probe', 'slow', {}, /^Treat the end of a time limit .* next request\.$/],
  ['probe', 'slow', { grant_type: 'refresh_token' }, /^Wait longer for a refresh/],
  ['probe', 'lost', {}, /^Treat it as a failure that may pass/],
  ['probe', 'lost', { grant_type: 'refresh_token' }, /^Keep the credentials until .* rejected with invalid_grant/],
  ['probe', 'garbled', { grant_type: 'refresh_token' }, /^Keep the credentials until .* rejected with invalid_grant/],
  ['probe', 'refused', { grant_type: 'refresh_token' }, /^Treat it as a failure that may pass: keep the credentials/],
  ['sign-in', 'refused', { grant_type: 'authorization_code' }, /^Show an error .* is not tried again\.$/],
  ['probe', 'crash-after', { grant_type: 'refresh_token' }, /^Keep on disk/],
  ['install', 'crash-after', {}, /^Keep on disk .* outlives the process\.$/],
] as const)('while %s, the advice for %s at %j is its own', ([step, trouble, match, advice]) => {
  expect(remedyOf(trouble, { match }, step)).toMatch(advice)
})

describe('a response that shows', () => {
  test.for([
    ['its own organization', 'run-0001', []],
    ['another organization', 'run-0002', ["a response of the app holds another organization's data"]],
  ] as const)('%s', async ([, body, harms]) => {
    const context = { run: 'run', secrets: { foundIn: () => [] }, platform: { learnSecrets: async () => {} } }
    const exchanges = [{ response: { body } }]
    const attempts = [{ holds: true, seen: '', exchanges }] as unknown as Parameters<typeof harmsIn>[0]
    expect(await harmsIn(attempts, subjectWith({ context }))).toEqual(harms)
  })

  test.for([
    ['at_Xk-9wq2mZr4tB7vLc1nD', 'usual'],
    ['aGVsbG8vd29ybGQ+Zm9v==', 'of letters, digits and signs'],
    ['0123456789abcdef0123', 'of the shortest form'],
  ])('the token %s (%s) that the app got by itself', async ([token]) => {
    const secrets = createSecrets('http://platform.test')
    const platform = { learnSecrets: async () => secrets.add(token, 'access token') }
    const exchanges = [{ response: { body: `failed with token ${token}` } }]
    const attempts = [{ holds: false, seen: '', exchanges }] as unknown as Parameters<typeof harmsIn>[0]
    const harms = await harmsIn(attempts, subjectWith({ context: { run: 'run', secrets, platform } }))
    expect(harms).toEqual(['a response of the app holds the access token'])
  })
})
