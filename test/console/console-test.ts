import type { AddressInfo } from 'node:net'
import { connect as connectSocket, createServer, type Socket } from 'node:net'
import type { Page } from 'playwright-core'
import { test as base } from '../harness/browser-test.js'
import { type Receiver, startReceiver } from '../harness/receiver.js'

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
    await receiver.close()
  },
  line: async ({ emulator }, use) => {
    const sockets = new Set<Socket>()
    const { port, hostname } = new URL(emulator.url)
    let isCut = false
    const server = createServer((near) => {
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
    })
    const hangUp = () => {
      for (const socket of sockets) socket.destroy()
    }
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await use({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      cut() {
        isCut = true
        hangUp()
      },
      reconnect() {
        isCut = false
      },
    })
    server.close()
    hangUp()
  },
})
