import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { isMissing, test } from '../harness/browser-test.js'
import { freePort } from '../harness/free-port.js'

const queryOf = (url: string | URL) => Object.fromEntries(new URL(url).searchParams)

describe.skipIf(isMissing)('in Chromium', () => {
  test('a person signs in, allows, and comes to the callback with code and state', async ({
    page,
    app,
    authorizeUrl,
  }) => {
    await page.goto(authorizeUrl())
    await page.getByRole('button', { name: /Ada Owner/ }).click()
    await page.getByRole('heading', { name: 'Sign in to Board' }).waitFor()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${app.callback}?**`)
    expect(queryOf(page.url())).toEqual({ code: expect.any(String), state: 'a state/+&' })
    expect(app.visits).toHaveLength(1)
  })

  test.for(['Allow', 'Deny'])(
    '%s: the browser follows the app to a front end on another origin',
    async (button, { page, app, signIn, authorizeUrl }) => {
      app.onward = `${app.origin.replace('localhost', '127.0.0.1')}/home`
      await signIn('bob')
      await page.goto(authorizeUrl())
      await page.getByRole('button', { name: button }).click()
      await page.waitForURL(app.onward)
      expect(app.visits.map(({ pathname }) => pathname)).toEqual(['/callback', '/home'])
    },
  )

  test('Deny brings access_denied to the callback', async ({ page, app, signIn, authorizeUrl }) => {
    await signIn('bob')
    await page.goto(authorizeUrl())
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.waitForURL(`${app.callback}?**`)
    expect(queryOf(page.url())).toMatchObject({ error: 'access_denied', state: 'a state/+&' })
  })

  test('a request that fails right after sign-in still reaches the callback', async ({
    page,
    app,
    call,
    authorizeUrl,
  }) => {
    const manifest = {
      id: 'board',
      name: 'Board',
      version: '2.0.0',
      permissions: ['openid', 'profile'],
      oauth: { authorize: { redirect_uris: [app.callback] } },
    }
    const { body } = await call('/_admin/installations?app=board')
    await call('/_admin/apps/board/manifest', { method: 'PUT', body: manifest })
    await call(`/_admin/installations/${body.data[0].id}/upgrade`, { body: {} })
    await call('/_admin/apps/board/manifest', {
      method: 'PUT',
      body: { ...manifest, version: '3.0.0', permissions: ['openid', 'profile', 'email'] },
    })
    await page.goto(authorizeUrl())
    await page.getByRole('button', { name: /Bob Learner/ }).click()
    await page.waitForURL(`${app.callback}?**`)
    expect(queryOf(page.url()).error).toBe('invalid_scope')
  })

  test('the picker: the organization that is picked is the one', async ({ page, app, call, signIn, authorizeUrl }) => {
    await call('/_admin/installations', { body: { app: 'board', organization: 'globex', installer: 'ada' } })
    await signIn('bob')
    await page.goto(authorizeUrl())
    await page.getByLabel(/Globex/).check()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${app.callback}?**`)
    const form = {
      grant_type: 'authorization_code',
      code: queryOf(page.url()).code as string,
      redirect_uri: app.callback,
      client_id: 'app_board',
      client_secret: 'board_secret',
    }
    expect((await call('/oauth/token', { form })).status).toBe(200)
    expect((await call('/_admin/tokens?app=board&user=bob')).body.data[0].organization).toBe('globex')
  })

  test('not installed: Install, the app’s own page, and silent sign-in from there', async ({
    page,
    app,
    signIn,
    authorizeUrl,
    call,
  }) => {
    await signIn('zoe')
    const answer = await page.goto(authorizeUrl())
    expect(answer?.status()).toBe(403)
    await page.getByRole('button', { name: 'Install in Zenith' }).click()
    await page.getByRole('heading', { name: 'Install Board in Zenith' }).waitFor()
    await page.getByText('To pin lessons.').waitFor()
    await page.getByRole('button', { name: 'Install', exact: true }).click()
    await page.waitForURL(`${app.origin}/setup?organization=zenith`)
    expect((await call('/_admin/deliveries?event=app.installed&organization=zenith')).body.data[0].state).toBe(
      'acknowledged',
    )
    await page.goto(authorizeUrl({ prompt: 'none', organization: 'zenith' }))
    expect(page.url().startsWith(`${app.callback}?code=`)).toBe(true)
  })

  describe('wire §1: two networks', async () => {
    // Addresses that name it must be known before the emulator starts.
    const port = await freePort()
    const [appUrl, browserUrl] = [`http://127.0.0.1:${port}`, `http://localhost:${port}`]
    test.override({ settings: { port, appUrl, browserUrl } })

    test('the browser signs in at browser_url, the app’s backend at app_url, with one issuer', async ({
      page,
      app,
      call,
    }) => {
      const { body: server } = await call('/.well-known/openid-configuration')
      expect(server.authorization_endpoint).toBe(`${browserUrl}/oauth/authorize`)
      const request = {
        client_id: 'app_board',
        response_type: 'code',
        scope: 'openid',
        redirect_uri: app.callback,
        state: 's',
      }
      await page.goto(`${server.authorization_endpoint}?${new URLSearchParams(request)}`)
      await page.getByRole('button', { name: /Ada Owner/ }).click()
      await page.getByRole('button', { name: 'Allow' }).waitFor()
      expect(new URL(page.url()).origin).toBe(browserUrl)
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.waitForURL(`${app.callback}?**`)
      const form = {
        grant_type: 'authorization_code',
        code: queryOf(page.url()).code as string,
        redirect_uri: app.callback,
        client_id: 'app_board',
        client_secret: 'board_secret',
      }
      expect(new URL(server.token_endpoint).origin).toBe(appUrl)
      const { body } = await call(server.token_endpoint, { form })
      const claims = JSON.parse(Buffer.from(body.id_token.split('.')[1], 'base64url').toString())
      expect(claims.iss).toBe(appUrl)
      expect(server.issuer).toBe(appUrl)
    })
  })

  test('silent sign-in of somebody who is not signed in', async ({ page, app, authorizeUrl }) => {
    await page.goto(authorizeUrl({ prompt: 'none' }))
    expect(page.url().startsWith(app.callback)).toBe(true)
    expect(queryOf(page.url()).error).toBe('login_required')
  })

  test('what must not redirect stays, and names the URI that was meant', async ({
    page,
    app,
    emulator,
    authorizeUrl,
  }) => {
    const answer = await page.goto(authorizeUrl({ redirect_uri: `${app.callback}/` }))
    expect(answer?.status()).toBe(400)
    expect(page.url().startsWith(emulator.url)).toBe(true)
    expect(await page.getByText(app.callback, { exact: true }).count()).toBe(1)
    expect(app.visits).toEqual([])
  })

  test('by keyboard alone', async ({ page, app, authorizeUrl }) => {
    await page.goto(authorizeUrl())
    await tabTo(page, /Bob Learner/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sign in to Board' }).waitFor()
    await tabTo(page, /^Allow$/)
    await page.keyboard.press('Space')
    await page.waitForURL(`${app.callback}?**`)
    expect(queryOf(page.url())).toHaveProperty('code')
  })

  test('an API key is generated, shown, and works; signing out ends it all', async ({
    page,
    signIn,
    emulator,
    call,
  }) => {
    await signIn('zoe')
    await page.goto(`${emulator.url}/`)
    await page.getByRole('link', { name: 'Integrations' }).click()
    await page.getByRole('button', { name: 'Regenerate API Key' }).click()
    await page.getByRole('heading', { name: 'Regenerate the API key?' }).waitFor()
    await page.getByRole('button', { name: 'Regenerate API Key' }).click()
    const key = (await page.locator('#api-key').textContent()) ?? ''
    expect((await call('/v0/courses', { as: key })).status).toBe(200)
    await page.getByRole('link', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/login')
    await page.goto(`${emulator.url}/settings/integrations`)
    expect(new URL(page.url()).pathname).toBe('/login')
  })

  test('a page of another origin can frame none of them, and its form is not followed', async ({
    page,
    app,
    emulator,
    signIn,
    call,
  }) => {
    await signIn('zoe')
    await page.goto(app.origin)
    const framed = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()))
    await page.evaluate((url) => {
      const frame = document.createElement('iframe')
      frame.src = url
      document.body.append(frame)
    }, `${emulator.url}/login`)
    await framed
    await page.evaluate((url) => {
      const form = document.createElement('form')
      form.method = 'post'
      form.action = url
      document.body.append(form)
      form.submit()
    }, `${emulator.url}/apps/board/install?organization=zenith`)
    await page.waitForURL(`${emulator.url}/**`)
    expect((await call('/_admin/installations?organization=zenith')).body.data).toEqual([])
  })

  const looks = [
    { name: 'light', options: { colorScheme: 'light' } },
    { name: 'dark', options: { colorScheme: 'dark' } },
    { name: 'phone', options: { colorScheme: 'light', viewport: { width: 360, height: 640 } } },
  ] as const
  for (const { name, options } of looks) {
    test(`${name}: no page has an accessibility fault, asks another host for anything, or scrolls sideways`, async ({
      browser,
      app,
      emulator,
      authorizeUrl,
      call,
    }) => {
      const context = await browser.newContext(options)
      const asked = new Set<string>()
      context.on('request', (request) => asked.add(new URL(request.url()).origin))
      const page = await context.newPage()
      const faults: Record<string, string[]> = {}
      const violations: string[] = []
      page.on('console', (message) => violations.push(message.text()))
      const visit = async (user: string | undefined, url: string, act?: () => Promise<unknown>) => {
        await context.clearCookies()
        if (user !== undefined) {
          const { body } = await call('/_admin/sessions', { body: { user } })
          await context.addCookies([{ ...body.cookie, url: emulator.url }])
        }
        await page.goto(url)
        await act?.()
        const found = await faultsOf(page)
        if (found.length > 0) faults[`${user ?? 'nobody'} at ${url}`] = found
      }
      // Names as long as they may be, with few places to break them or none.
      const slug = 'north'
      await call('/_admin/organizations', {
        body: { slug, name: 'University of Applied Sciences Northern Switzerland' },
      })
      const email = `${'a'.repeat(54)}@mail.test`
      await call('/_admin/users', { body: { email, first_name: 'n'.repeat(200), last_name: 'Long' } })
      await call(`/_admin/organizations/${slug}/members/${email}`, { method: 'PUT', body: { role: 'owner' } })
      await call(`/_admin/organizations/acme/members/${email}`, { method: 'PUT', body: { role: 'owner' } })
      await call('/_admin/installations', { body: { app: 'board', organization: slug } })
      await visit(undefined, emulator.url)
      await visit(undefined, `${emulator.url}/login`)
      for (const path of ['/', '/settings/integrations', '/logout']) await visit(email, emulator.url + path)
      await visit(email, authorizeUrl())
      const signOut = await page.getByRole('link', { name: 'Sign out' }).boundingBox()
      expect(signOut?.height).toBeLessThan(30)
      await visit('ada', emulator.url)
      await visit('ada', authorizeUrl())
      await call('/_admin/installations', { body: { app: 'board', organization: 'globex', installer: 'ada' } })
      await visit('ada', authorizeUrl())
      await visit('zoe', authorizeUrl())
      await visit('zoe', authorizeUrl({ organization: 'acme' }))
      await visit(undefined, authorizeUrl({ redirect_uri: `${app.callback}/x` }))
      await visit('zoe', `${emulator.url}/apps/board/install?organization=zenith`)
      await visit('ada', `${emulator.url}/apps/board/install`)
      await visit('zoe', `${emulator.url}/settings/integrations`, async () => {
        await page.getByRole('button', { name: 'Regenerate API Key' }).click()
        await page.getByRole('heading', { name: 'Regenerate the API key?' }).waitFor()
      })
      await visit('bob', `${emulator.url}/settings/integrations`)
      await visit(undefined, `${emulator.url}/nowhere`)
      await context.close()
      expect(faults).toEqual({})
      expect([...asked]).toEqual([emulator.url])
      expect(violations.filter((text) => !/status of 40[034]/.test(text))).toEqual([])
    })
  }
})

/** Presses Tab until what has the focus is named so. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 30; presses++) {
    await page.keyboard.press('Tab')
    const text = await page.evaluate(() => document.activeElement?.textContent ?? '')
    if (name.test(text.trim())) return
  }
  throw new Error(`Nothing named ${name} can be reached with Tab`)
}

async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations, sideways } = await page.evaluate(async () => {
    const run = (globalThis as unknown as { axe: typeof axe }).axe.run
    const { violations } = await run(document)
    return { violations, sideways: document.documentElement.scrollWidth > document.documentElement.clientWidth }
  })
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  return sideways ? [...found, 'scrolls sideways'] : found
}
