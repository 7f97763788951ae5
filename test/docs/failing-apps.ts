import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import express from 'express'
import { type Answer, type Call, send } from '../harness/emulator-test.js'
import { freePort } from '../harness/free-port.js'
import { serve } from '../harness/serve.js'

/** The ways in which a webhook or a sign-in of a new app commonly fails, each as a program that fails so. */

const SIGNING_SECRET = 'ss_of_the_notes_app_7f3a'
const CLIENT_SECRET = 'cs_of_the_notes_app'
const CALLBACK = 'http://localhost:3000/callback'
const VERIFIER = 'a-verifier-of-at-least-forty-three-characters-0'

export interface Failure {
  /** The problem, as a heading. */
  title: string
  /** The symptom, in a sentence. */
  what: string
  /** A part of the journal's reason or warning, or of the finding, that names the cause. */
  says: RegExp
  /** The path of the request to look at; the webhook when left out. */
  path?: string
  /** Causes the failure with the app `notes`, which is not there before. */
  cause(stage: Stage): Promise<unknown>
}

export interface Stage {
  call: (path: string, call?: Call) => Promise<Answer>
  /** Serves on a port of its own until the failure is over. @returns the origin. */
  serve: (listener: RequestListener) => Promise<string>
}

const manifest = (fields: object) => ({ id: 'notes', name: 'Notes', version: '1.0.0', ...fields })
const newApp = (manifest: object) => ({
  client_id: 'app_notes',
  client_secret: CLIENT_SECRET,
  signing_secret: SIGNING_SECRET,
  manifest,
})

/** Installs the app with its webhook at this address. */
async function installAt({ call }: Stage, url: string) {
  const app = newApp(manifest({ permissions: ['elements:read'], oauth: { install: true }, webhook: { url } }))
  await call('/_admin/apps', { body: app })
  await call('/_admin/installations', { body: { app: 'notes', organization: 'acme' } })
}

/** A failure of a webhook. @param listener answers each request; its webhook is at `path`. */
const webhook = (title: string, what: string, says: RegExp, listener: RequestListener, path = '/webhook'): Failure => ({
  title,
  what,
  says,
  cause: async (stage) => installAt(stage, (await stage.serve(listener)) + path),
})

const hmac = (secret: string, body: string | Buffer) => createHmac('sha256', secret).update(body)

/** An app that compares the signature with what `digest` makes of the raw body. */
const verifying = (digest: (raw: Buffer) => string) => {
  const app = express()
  app.post('/webhook', express.raw({ type: '*/*' }), (request, response) => {
    const isRight = digest(request.body) === request.get('platform-signature')
    response.status(isRight ? 200 : 401).send(isRight ? 'ok' : 'Invalid signature')
  })
  return app
}

/** An app whose webhook does what `respond` does. */
const responding = (respond: express.RequestHandler, ...before: express.RequestHandler[]) =>
  express().post('/webhook', ...before, respond)

/** A failure of a sign-in. @param run with a user of Acme signed in, and the app installed there. */
const signIn = (failure: Omit<Failure, 'cause'> & { run: (steps: SignIn) => Promise<unknown> }): Failure => ({
  ...failure,
  async cause({ call }) {
    const oauth = { authorize: { redirect_uris: [CALLBACK] } }
    await call('/_admin/apps', { body: newApp(manifest({ permissions: ['openid'], oauth })) })
    await call('/_admin/installations', { body: { app: 'notes', organization: 'acme' } })
    await call('/_admin/sessions/ambient', { method: 'PUT', body: { user: 'ada' } })
    const authorize = async (changes = {}) => {
      const { headers } = await call(
        `/oauth/authorize?${new URLSearchParams({ ...request, state: randomBytes(16).toString('hex'), ...changes })}`,
      )
      return new URL(headers.get('location') ?? CALLBACK).searchParams.get('code') ?? ''
    }
    const redeem = (code: string, changes = {}) => call('/oauth/token', { form: { ...exchange, code, ...changes } })
    await failure.run({ authorize, redeem, call })
  },
})

interface SignIn extends Pick<Stage, 'call'> {
  /** @returns the code. */
  authorize: (changes?: object) => Promise<string>
  redeem: (code: string, changes?: Record<string, string>) => Promise<Answer>
}

const request = {
  client_id: 'app_notes',
  response_type: 'code',
  scope: 'openid',
  redirect_uri: CALLBACK,
  prompt: 'none',
  nonce: '1a2b3c4d5e6f70819a0b1c2d3e4f5061',
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 'S256',
}
const exchange = {
  grant_type: 'authorization_code',
  client_id: 'app_notes',
  client_secret: CLIENT_SECRET,
  redirect_uri: CALLBACK,
}

export const webhookFailures: Failure[] = [
  webhook(
    'Another signing secret',
    'The app verifies with the secret of another app, or with the client secret.',
    /with the signing secret that ends in 7f3a\. Check that the app has this secret \(PLATFORM_SIGNING_SECRET\),/,
    verifying((raw) => hmac(CLIENT_SECRET, raw).digest('hex')),
  ),
  webhook(
    'The parsed body is verified',
    'The app parses the JSON, serializes it again, and computes the signature of the result, which has other bytes.',
    /of the \d+ raw bytes of the body .* verifies the raw body and not the parsed one,/,
    verifying((raw) => hmac(SIGNING_SECRET, JSON.stringify(JSON.parse(raw.toString()), null, 1)).digest('hex')),
  ),
  webhook(
    'Base64 instead of hex',
    'The app compares the signature with a digest in base64.',
    /in lower-case hex, .* and compares hex and not base64/,
    verifying((raw) => hmac(SIGNING_SECRET, raw).digest('base64')),
  ),
  webhook(
    'A proxy removes the signature',
    'The app reports that the request has no signature. A proxy in front of the app forwards only the headers that it knows.',
    /the request carried Platform-Signature: the app reads another header, or a proxy before it removes this one/,
    responding((_, response) => void response.status(401).json({ error: 'Missing signature header' })),
  ),
  webhook(
    'The wrong path',
    'The path in the manifest is not the path in the app.',
    /has no route POST \/webhooks: correct the path or the port in webhook\.url/,
    responding((_, response) => void response.sendStatus(200)),
    '/webhooks',
  ),
  webhook(
    'Another program at the port',
    'A development server listens on the port in the manifest, and the app on another one.',
    /the program at localhost:\d+ has no route POST \/webhook: correct the path or the port/,
    (_, response) => void response.writeHead(404).end(),
  ),
  webhook(
    'A redirect to https',
    'The app, or its framework, redirects every http request to https.',
    /the app sends http on to https:\/\/localhost\/webhook, so switch its redirect to https off/,
    (_, response) => void response.writeHead(301, { location: 'https://localhost/webhook' }).end(),
  ),
  webhook(
    'A redirect to a slash',
    "The app's route is `/webhook/`, and its framework redirects the request without the slash.",
    /the app's route differs by the slash at the end, so write http:\/\/localhost:\d+\/webhook\/ in webhook\.url/,
    (_, response) => void response.writeHead(307, { location: '/webhook/' }).end(),
  ),
  webhook(
    'CSRF protection',
    'The framework requires its own token in every POST.',
    /the app's CSRF protection rejected it: exempt the webhook's route/,
    responding(
      (_, response) =>
        void response
          .status(403)
          .send('<title>403 Forbidden</title><h1>Forbidden</h1><p>CSRF verification failed. Request aborted.</p>'),
    ),
  ),
  webhook(
    'A body limit',
    "The limit of the app's body parser is smaller than the event.",
    /the event has \d+ bytes, which is over the limit of the app's body parser, or of a proxy \(nginx: client_max_body_size\): raise it/,
    responding((_, response) => void response.sendStatus(200), express.json({ limit: 100 })),
  ),
  webhook(
    'The handler throws',
    'The app reads a field that the event does not have.',
    /500 "TypeError: .*"; the app failed while it handled the event: its own output says why/,
    responding((request, response) => void response.send(request.body.data.course.id), express.json()),
  ),
  webhook(
    'The handler is too slow',
    'The app does its work before it responds.',
    /no response within 3s \(ack_window\): respond with 200 first, and do the work afterwards/,
    () => {},
  ),
  {
    title: 'Nothing listens at the port',
    what: 'The app is not running, or listens on another port.',
    says: /nothing listens at 127\.0\.0\.1:\d+ \(.*\): start the app, or correct the port in webhook\.url/,
    cause: async (stage) => installAt(stage, `http://127.0.0.1:${await freePort()}/webhook`),
  },
  {
    title: 'IPv4 and IPv6',
    what: 'The app listens on `127.0.0.1`, and the manifest has the IPv6 address `[::1]`.',
    says: /an app that listens on 127\.0\.0\.1 only cannot be reached there, so write localhost in webhook\.url/,
    async cause(stage) {
      const { port } = new URL(await stage.serve(verifying((raw) => hmac(SIGNING_SECRET, raw).digest('hex'))))
      await installAt(stage, `http://[::1]:${port}/webhook`)
    },
  },
  {
    title: 'A host that is not trusted',
    what: 'The webhook has a public address. The emulator sends webhooks only to this machine and private networks.',
    says: /203\.0\.113\.5 is neither a loopback nor a private address, .*: list the host in trust_hosts/,
    cause: (stage) => installAt(stage, 'https://203.0.113.5/webhook'),
  },
]

export const signInFailures: Failure[] = [
  signIn({
    title: 'A redirect URI that differs in one character',
    what: 'The platform shows an error page, and never redirects to an unregistered address.',
    says: /at character 26 the request goes on with "back" where the registered one goes on with "lback"/,
    path: '/oauth/authorize',
    run: ({ authorize }) => authorize({ redirect_uri: 'http://localhost:3000/calback' }),
  }),
  signIn({
    title: 'A scope that the manifest does not declare',
    what: 'The platform redirects back with `error=invalid_scope`.',
    says: /invalid_scope: .*: email\. Add email to its permissions, and push it$/m,
    path: '/oauth/authorize',
    run: ({ authorize }) => authorize({ scope: 'openid email' }),
  }),
  signIn({
    title: 'The PKCE verifier is missing',
    what: 'The app sends a `code_challenge`, but no `code_verifier` with the code.',
    says: /the code_verifier is missing: the code was requested with a code_challenge/,
    path: '/oauth/token',
    run: async ({ authorize, redeem }) => redeem(await authorize()),
  }),
  signIn({
    title: 'The wrong client secret',
    what: 'The token endpoint returns `invalid_client`.',
    says: /The client_secret is not the one of app_notes: mockademy env --app notes --url \S+ prints it/,
    path: '/oauth/token',
    run: async ({ authorize, redeem }) =>
      redeem(await authorize(), { code_verifier: VERIFIER, client_secret: SIGNING_SECRET }),
  }),
  signIn({
    title: 'Clocks that differ',
    what: "The app verifies the id_token with the machine's clock, and the emulator's clock shows another time.",
    says: /By the machine's clock its exp .* is .* in the past, so clients that go by it refuse the id_token/,
    path: '/oauth/token',
    run: async ({ authorize, redeem }) => redeem(await authorize(), { code_verifier: VERIFIER }),
  }),
  signIn({
    title: 'The state is lost',
    what: "The app's session cookie has `SameSite=Strict`, so the browser does not send it with the redirect back, and the app finds no state to compare. The platform sees that the code is not redeemed; after it has expired, there is a finding.",
    says: /a session cookie with SameSite=Strict is not sent when the platform redirects back\. Use SameSite=Lax/,
    path: '/oauth/authorize',
    async run({ authorize, call }) {
      await authorize()
      await call('/_admin/clock/advance', { body: { by: '11m' } })
    },
  }),
]

/** Returns a stage for one failure, and what ends it. */
export function createStage(url: string): Stage & { end: () => Promise<void> } {
  return {
    call: (path, call) => send(url + path, call),
    async serve(listener) {
      const { port } = await serve(listener)
      return `http://localhost:${port}`
    },
    async end() {
      await send(`${url}/_admin/apps/notes`, { method: 'DELETE' })
      await send(`${url}/_admin/findings`, { method: 'DELETE' })
    },
  }
}
