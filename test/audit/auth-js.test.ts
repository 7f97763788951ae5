import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { audit, type Emulator, startEmulator } from 'mockademy'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cleanEnvironment, ROOT } from '../harness/command-line.js'

/** As docs/audit.md explains them; the rest waits for real time or fails in the same way. */
const verdicts = {
  'signin.request': 'pass',
  'signin.pkce': 'pass',
  'signin.works': 'pass',
  'signin.state-wrong': 'fail',
  'signin.id-token-bad-signature': 'fail',
  'signin.id-token-unknown-kid': 'fail',
  'signin.id-token-wrong-aud': 'fail',
  'signin.subject': 'pass',
  'signin.cookie': 'pass',
}

describe('an app with Auth.js', () => {
  let emulator: Emulator
  let child: ChildProcess
  let url: string
  beforeAll(async () => {
    emulator = await startEmulator({ now: new Date().toISOString() })
    child = spawn(process.execPath, [join(ROOT, 'test/audit/auth-js-app.js')], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...cleanEnvironment(tmpdir()),
        PORT: '0',
        PLATFORM_APP_URL: emulator.url,
        PLATFORM_CLIENT_ID: 'app_auth',
        PLATFORM_CLIENT_SECRET: 'auth_secret',
      },
    })
    const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data')
    url = /http:\S+/.exec(String(line))?.[0] as string
    await emulator.admin.createApp({
      client_id: 'app_auth',
      client_secret: 'auth_secret',
      manifest: {
        id: 'auth-js',
        name: 'An app with Auth.js',
        version: '1.0.0',
        permissions: ['openid', 'profile', 'email'],
        oauth: { authorize: { redirect_uris: [`${url}/auth/callback/platform`] } },
      },
    })
  })
  afterAll(async () => {
    child.kill('SIGKILL')
    await emulator.close()
  })

  test('gets the verdicts that docs/audit.md explains', async () => {
    const report = await audit({
      url: emulator.url,
      file: {
        app: 'auth-js',
        start: `${url}/login`,
        whoami: { url: `${url}/me`, signed_in: { status: 200, user: '/account' }, signed_out: { status: 401 } },
      },
      only: Object.keys(verdicts),
    })
    expect(Object.fromEntries(report.checks.map(({ id, outcome }) => [id, outcome]))).toEqual(verdicts)
    const messages = Object.fromEntries(report.checks.map(({ id, message }) => [id, message]))
    expect(messages['signin.id-token-bad-signature']).toBe(
      'The app accepted an id_token with an invalid signature and signed the browser in',
    )
    expect(messages['signin.id-token-unknown-kid']).toMatch(/ \(follows from signin\.id-token-bad-signature\)$/)
    expect(messages['signin.id-token-wrong-aud']).toMatch(
      /rejected an id_token for another app or none \(wrong_aud\), but failed \(status 500\)/,
    )
  })
})
