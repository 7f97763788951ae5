import { connect as connectSocket, createServer, type Socket } from 'node:net'
import type { Page } from 'playwright-core'
import { test as base } from '../harness/browser-test.js'
import { type Receiver, startReceiver } from '../harness/receiver.js'
import { listen } from '../harness/serve.js'

export { isMissing } from '../harness/browser-test.js'

interface Fixtures {
  page: Page
  /** Opens the console at `#/<place>`, and waits until it is live. */
  open: (place?: string) => Promise<Page>
  /** The endpoint of an app `hook` that is installed nowhere. */
  receiver: Receiver
  /** A way to the emulator that can be cut. */
  line: { url: string; cut: () => void; reconnect: () => void }
}

/** Timeout of one step on a busy machine, in ms. */
const PATIENCE = 90_000

export const test = base.extend<Fixtures>({
  page: async ({ page }, use) => {
    page.setDefaultTimeout(PATIENCE)
    await use(page)
  },
  open: async ({ page, emulator }, use) => {
    await use(async (place = 'activity') => {
      await page.goto(`${emulator.url}/_console#/${place}`)
      await page.getByText('live', { exact: true }).waitFor()
      return page
    })
  },
  receiver: async ({ call }, use) => {
    const receiver = await startReceiver()
    const manifest = {
      id: 'hook',
      name: 'Hook',
      version: '1.0.0',
      permissions: ['elements:read'],
      oauth: { install: true },
      webhook: { url: receiver.url },
      post_install_action: { url: 'http://localhost:3000/setup' },
    }
    await call('/_admin/apps', { body: { client_id: 'app_hook', client_secret: 'hook_secret', manifest } })
    await use(receiver)
  },
  line: async ({ emulator }, use) => {
    const sockets = new Set<Socket>()
    const { port, hostname } = new URL(emulator.url)
    let isCut = false
    const { url, close } = await listen(
      createServer((near) => {
        if (isCut) return void near.destroy()
        const far = connectSocket(Number(port), hostname)
        for (const socket of [near, far]) {
          sockets.add(socket)
          socket.on('error', () => {})
          socket.on('close', () => {
            near.destroy()
            far.destroy()
            sockets.delete(socket)
          })
        }
        near.pipe(far).pipe(near)
      }),
    )
    await use({
      url,
      cut() {
        isCut = true
        for (const socket of sockets) socket.destroy()
      },
      reconnect() {
        isCut = false
      },
    })
    await close()
  },
})
