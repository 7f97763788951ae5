import { describe, expect, test } from 'vitest'
import type { AuditContext } from '../../src/programs/audit/context/context.js'
import { createSecrets } from '../../src/programs/audit/context/secrets.js'
import { attempt, type Subject } from '../../src/programs/sweep/actions.js'
import { harmsIn } from '../../src/programs/sweep/harms.js'
import { remedyOf } from '../../src/programs/sweep/plan.js'
import type { Point } from '../../src/programs/sweep/points.js'
import { createReducer } from '../../src/programs/sweep/reduce.js'
import type { CaseRun } from '../../src/programs/sweep/run-case.js'
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

test.for([
  ['stranded', 'call_after_uninstall', undefined],
  ['harmful', 'call_after_uninstall', 0],
  ['harmful', 'token_in_url', undefined],
] as const)('the verdict is %s on %s and a try that holds: %s, however fast the tries are', ([verdict, rule, held]) => {
  const findings = [{ rule, section: 'spec: §3', message: 'A request.' }]
  const judged = { requests: 1, findings }
  const run = { fired: true, held, last: { seen: 'status 503' }, steps: [], harms: [], judged } as unknown as CaseRun
  const plan = { flow: 'uninstall', steps: [], breaks: [], points: [] } as const
  expect(verdictOf(plan, run, { requests: 1, rules: new Set() })).toMatchObject({ verdict })
})

test('a case is not reduced once the time is over', async () => {
  const never = () => expect.fail('a run')
  const plan = { flow: 'install', steps: ['install'], breaks: [], points: [] } as const
  const reducer = createReducer({} as AuditContext, { run: never, hasRoom: never }, never, never, () => true)
  expect(await reducer.reduce(plan, { verdict: 'stranded', message: '' })).toBeUndefined()
})

test.for([
  [
    'install',
    'slow',
    'GET-v0-courses',
    /^Treat the end of a time limit .* Mark an event as handled only once its work/,
  ],
  ['probe', 'slow', 'GET-v0-courses', /^Treat the end of a time limit .* next request\.$/],
  ['probe', 'slow', 'POST-oauth-token-refresh', /^Wait longer for a refresh/],
  ['probe', 'refused', 'POST-oauth-token-refresh', /^Treat it as a failure that may pass: keep the credentials/],
  ['sign-in', 'refused', 'POST-oauth-token-authorization_code', /^Show an error .* is not tried again\.$/],
  ['probe', 'crash-after', 'POST-oauth-token-refresh', /^Keep on disk/],
] as const)('while %s, the advice for %s at %s is its own', ([step, trouble, operation, advice]) => {
  const point: Point = { surface: 'oauth', operation, match: {}, occurrence: 1, step: 0 }
  expect(remedyOf({ steps: [step] }, { point, trouble })).toMatch(advice)
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
