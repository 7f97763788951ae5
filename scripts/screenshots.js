// Makes the images of docs/console.md from a world of its own. Needs a Chromium: CHROMIUM, else /usr/bin/chromium.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { chromium } from 'playwright-core'
import { startEmulator } from '../dist/index.js'
import { palettePng } from './palette-png.js'

const OUT = 'docs/images'
/** The most bytes of an image: they are part of the package. */
const SIZE_LIMIT = 80 * 1024

const app = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.writeHead(request.url === '/webhook' ? 500 : 200).end('secret is not set'))
})
await new Promise((resolve) => app.listen(0, '127.0.0.1', resolve))
const origin = `http://localhost:${app.address().port}`

const emulator = await startEmulator({ seed: 'screenshots', now: '2026-03-02T09:30:00Z' })
const { admin, url } = emulator
const manifest = {
  id: 'board',
  name: 'Board',
  version: '1.0.0',
  permissions: ['elements:read', 'openid'],
  oauth: { install: true, authorize: { redirect_uris: ['http://localhost:3000/callback'] } },
  webhook: { url: `${origin}/webhook` },
}
await admin.createApp({ manifest, client_id: 'app_board', client_secret: 'board_secret' })
const { credentials } = await admin.install({ app: 'board', organization: 'acme' })

const get = (path, as) => fetch(url + path, { headers: { authorization: `Bearer ${as}` } })
const query = new URLSearchParams({
  client_id: 'app_board',
  response_type: 'code',
  scope: 'openid',
  redirect_uri: 'http://localhost:3000/calback',
  state: 'xyz',
})
await get('/v0/elements', credentials.access_token)
await get('/v0/elements/essay', credentials.access_token)
await get('/v0/members', credentials.access_token)
await admin.advanceClock('3s')
await fetch(`${url}/oauth/authorize?${query}`)
await get('/v0/elements/essay', credentials.access_token)
await admin.expireTokens({ app: 'board', kind: 'access' })
await admin.advanceClock('4s')
await get('/v0/elements/essay', credentials.access_token)

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
})
const page = await browser.newPage({
  viewport: { width: 1200, height: 700 },
  colorScheme: 'light',
  reducedMotion: 'reduce',
})
const entries = await admin.listRequests()
const refused = entries.find(({ status }) => status === 403)
const fault = new URLSearchParams({
  add: '1',
  surface: 'oauth',
  grant_type: 'refresh_token',
  effect: 'unavailable',
  times: '1',
})

/** An image as RGBA, which a page of its own reads: the console's policy forbids it there. */
const reader = await browser.newPage()
async function pixelsOf(png) {
  const { width, height, data } = await reader.evaluate(
    async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const { width, height } = image
      const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')
      context.drawImage(image, 0, 0)
      const bytes = context.getImageData(0, 0, width, height).data
      let text = ''
      for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
      return { width, height, data: btoa(text) }
    },
    `data:image/png;base64,${png.toString('base64')}`,
  )
  return { width, height, data: Buffer.from(data, 'base64') }
}

mkdirSync(OUT, { recursive: true })
for (const [name, place, shown] of [
  ['activity', 'activity', 'body'],
  // The panel and the dialog without the page.
  ['detail', `activity/${refused.id}`, 'aside'],
  ['fault', `faults?${fault}`, 'dialog'],
]) {
  await page.goto(`${url}/_console#/${place}`)
  await page.getByRole('status').getByText('live', { exact: true }).waitFor()
  await page
    .getByText(name === 'fault' ? 'POST /_admin/faults' : 'The token lacks the scope')
    .first()
    .waitFor()
  const path = `${OUT}/${name}.png`
  const image = palettePng(await pixelsOf(await page.locator(shown).screenshot()))
  writeFileSync(path, image)
  process.stdout.write(`${path}: ${Math.round(image.length / 1024)} KB\n`)
  if (image.length > SIZE_LIMIT) process.exitCode = 1
}
await browser.close()
app.closeAllConnections()
app.close()
await emulator.close()
