import { sweep } from 'mockademy'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ExampleApp, startExampleApp } from '../audit/example-app.js'

/** Every flow takes a minute or more: `SWEEP=whole` runs them. */
const part = process.env.SWEEP === 'whole' ? {} : { flow: ['install', 'burst'], skip: ['*/*/slow', '*/*/crash*'] }

describe('the example app', () => {
  let app: ExampleApp
  beforeAll(async () => {
    app = await startExampleApp()
  }, 60_000)
  afterAll(() => app.close())

  test('heals from everything, and the world is as before', { timeout: 600_000 }, async () => {
    const { admin, url } = app.emulator
    const before = await admin.getState()
    const report = await sweep({ url, file: app.file, ...part })
    const failing = report.flows.flatMap(({ cases }) =>
      cases.filter(({ verdict }) => verdict === 'stranded' || verdict === 'harmful'),
    )
    expect(failing).toEqual([])
    expect(report).toMatchObject({ app: 'notes', passed: true, summary: { stranded: 0, harmful: 0 } })
    expect(await admin.getState()).toEqual(before)
    expect(await admin.listFaults()).toEqual([])
    // Requests for discovery and keys name no organization, so they belong to no run.
    const requests = await admin.listRequests()
    expect(requests.filter(({ path }) => !path.startsWith('/.well-known/'))).toEqual([])
  })

  test('is broken at a sign-in only where its user signs in, not where the owner does for a probe', {
    timeout: 600_000,
  }, async () => {
    const only = ['refresh/app.installed#1/twice', 'sign-in/app.installed#1/twice', 'sign-in/*oauth*/limited']
    const { flows } = await sweep({ url: app.emulator.url, file: app.fileOfPeople, only })
    const ofSignIn = ['GET-oauth-authorize#1', 'POST-oauth-token-authorization_code#1']
    expect(flows.map(({ flow, points }) => [flow, ofSignIn.filter((point) => points.includes(point))])).toEqual([
      ['refresh', []],
      ['sign-in', ofSignIn],
    ])
    // The platform limits the token endpoint, not what a browser requests.
    const limited = flows.flatMap(({ cases }) => cases.map(({ id }) => id).filter((id) => id.endsWith('limited')))
    expect(limited).toEqual(['sign-in/POST-oauth-token-authorization_code#1/limited'])
    const unstable = flows.flatMap((flow) => flow.unstable)
    expect(unstable.filter((point) => /authorize|authorization/.test(point))).toEqual([])
  })
})

test('an app that signs people out at the uninstall is swept with probes of its owners', {
  timeout: 600_000,
}, async () => {
  const find = "{ status: 404, body: { error: 'The app is not installed in this organization' } }"
  await using app = await startExampleApp([{ file: 'platform.js', find, replace: '{ status: 401, body: {} }' }])
  const only = ['uninstall/app.installed#1/twice']
  const { flows } = await sweep({ url: app.emulator.url, file: app.fileOfPeople, only })
  expect(flows.flatMap(({ cases }) => cases)).toMatchObject([{ id: only[0], verdict: 'unharmed' }])
})
