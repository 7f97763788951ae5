import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { chromiumPath } from './chromium.js'
import { send } from './emulator-test.js'
import { serve } from './serve.js'
import { test as base } from './sign-in-test.js'

/** Without a browser these tests are skipped, but not where CI must have installed one. */
export const isMissing = !existsSync(chromiumPath) && process.env.CI !== 'true'
if (isMissing) {
  process.stderr.write(`Skipped: there is no Chromium at ${chromiumPath} (apt-get install chromium-headless-shell)\n`)
}

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

interface App {
  origin: string
  callback: string
  /** The addresses that a browser has come to, oldest first. */
  visits: URL[]
  /** The address that its callback and its landing page redirect to. */
  onward?: string
}

interface Fixtures {
  browser: Browser
  context: BrowserContext
  page: Page
  /** An app with a callback, a landing page after an install and a webhook, installed in Acme. */
  app: App
  signIn: (user: string) => Promise<void>
  authorizeUrl: (changes?: Record<string, string>) => string
}

export const test = base.extend<Fixtures>({
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads a fixture's needs from here
    async ({}, use) => {
      const browser = await chromium.launch({ executablePath: chromiumPath, args: quiet })
      await use(browser)
      await browser.close()
    },
    { scope: 'worker' },
  ],
  context: async ({ browser }, use) => {
    const context = await browser.newContext()
    await use(context)
    await context.close()
  },
  page: async ({ context }, use) => {
    await use(await context.newPage())
  },
  app: async ({ call }, use) => {
    const visits: URL[] = []
    const app: App = { origin: '', callback: '', visits }
    const { port } = await serve((request, response) => {
      if (request.method === 'GET' && request.url !== '/favicon.ico') visits.push(new URL(request.url ?? '/', origin))
      if (app.onward && /^\/(callback|setup)/.test(request.url ?? '')) {
        response.writeHead(302, { location: app.onward }).end()
        return
      }
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>The app</title><h1>The app</h1>')
    })
    const origin = `http://localhost:${port}`
    const callback = `${origin}/callback`
    const manifest = {
      id: 'board',
      name: 'Board',
      description: 'A board for every course.',
      version: '1.0.0',
      permissions: [{ permission: 'elements:read', purpose: 'To pin lessons.' }, 'openid', 'profile', 'email'],
      oauth: { install: true, authorize: { redirect_uris: [callback] } },
      webhook: { url: `${origin}/webhook` },
      post_install_action: { url: `${origin}/setup` },
    }
    await call('/_admin/apps', { body: { client_id: 'app_board', client_secret: 'board_secret', manifest } })
    await call('/_admin/installations', { body: { app: 'board', organization: 'acme' } })
    await use(Object.assign(app, { origin, callback }))
  },
  signIn: async ({ context, emulator }, use) => {
    await use(async (user) => {
      const { body } = await send(`${emulator.url}/_admin/sessions`, { body: { user } })
      await context.addCookies([{ ...body.cookie, url: emulator.url, httpOnly: true, sameSite: 'Lax' }])
    })
  },
  authorizeUrl: async ({ emulator, app }, use) => {
    await use((changes = {}) => {
      const request = {
        client_id: 'app_board',
        response_type: 'code',
        scope: 'openid profile email',
        redirect_uri: app.callback,
        state: 'a state/+&',
        ...changes,
      }
      return `${emulator.url}/oauth/authorize?${new URLSearchParams(request)}`
    })
  },
})
