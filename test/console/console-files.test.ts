import { request as requestHttp } from 'node:http'
import { describe, expect } from 'vitest'
import { serve } from '../harness/serve.js'
import { isMissing, test } from './console-test.js'

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; worker-src 'self'; " +
  "img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

describe('GET /_console', () => {
  test('is a page that no cache keeps, under a policy that lets nothing else in', async ({ call }) => {
    for (const path of ['/_console', '/_console/', '/_console/some/where']) {
      const { status, headers, text } = await call(path)
      expect([path, status]).toEqual([path, 200])
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(headers.get('cache-control')).toBe('no-cache')
      expect(headers.get('content-security-policy')).toBe(POLICY)
      expect(text).not.toMatch(/<script>|<style|style=|\son\w+=/)
    }
  })

  test('names files by their contents, which are cached for ever', async ({ call, emulator }) => {
    for (const path of ['/_console', '/_console/', '/_console/some/where']) {
      const { text } = await call(path)
      const names = [...text.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, name]) => name as string)
      expect(names).toHaveLength(2)
      for (const name of names) {
        expect(name).toMatch(/^\.\.?\/.*-[A-Z0-9]{8}\.(js|css)$/)
        const file = await call(new URL(name, emulator.url + path).pathname)
        expect([file.status, file.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
        expect(file.headers.get('content-type')).toMatch(/^text\/(javascript|css); charset=utf-8$/)
        expect(file.headers.get('x-content-type-options')).toBe('nosniff')
      }
    }
  })

  test('is refused to a host that could be somebody else’s, like the control API', async ({ emulator }) => {
    const { hostname, port } = new URL(emulator.url)
    const status = await new Promise((resolve, reject) => {
      requestHttp({ hostname, port, path: '/_console', headers: { host: 'rebound.example.com' } }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
        .on('error', reject)
        .end()
    })
    expect(status).toBe(403)
  })

  test('is named by GET /_admin and by the start page, and is in no journal', async ({ call, emulator }) => {
    await call('/_console')
    expect((await call('/_admin')).body.console_url).toBe(`${emulator.url}/_console`)
    expect((await call('/_admin/requests')).body.data).toEqual([])
    expect((await call('/')).text).toContain('href="/_console"')
  })

  describe('with an admin token', () => {
    test.override({ settings: { adminToken: 'the_token' } })
    test('the files are there without it: they hold no data', async ({ call }) => {
      expect((await call('/_console')).status).toBe(200)
      expect((await call('/_admin')).status).toBe(401)
    })
  })
})

describe.skipIf(isMissing)('behind a proxy that puts a prefix in front', () => {
  test('the console finds its files, the control API and the stream', async ({ call, emulator, page }) => {
    const { hostname, port } = new URL(emulator.url)
    const proxy = await serve((near, answer) => {
      if (!near.url?.startsWith('/tools/mock/')) return void answer.writeHead(404).end()
      const path = near.url.slice('/tools/mock'.length)
      const far = requestHttp({ hostname, port, path, method: near.method, headers: near.headers }, (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(answer)
      })
      far.on('error', () => answer.destroy())
      answer.on('close', () => far.destroy())
      near.pipe(far)
    })
    await page.goto(`${proxy.url}/tools/mock/_console#/world`)
    await page.getByText('live', { exact: true }).waitFor()
    await page.getByText(`${emulator.url}/v0`).waitFor()
    await call('/v0/courses')
    await page.getByRole('link', { name: 'Activity' }).click()
    await page.getByRole('row').filter({ hasText: '/v0/courses' }).waitFor()
  })
})
