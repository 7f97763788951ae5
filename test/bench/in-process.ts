import { createClient, medianTime } from './client.js'
import type { GuestCalls, GuestOptions } from './guest.js'
import { ELEMENT, json } from './worlds.js'

// The process that `startGuest` starts: it runs a program inside itself and measures what only that can tell.

/** A program that runs, in this process. */
interface Running {
  url: string
  /** Makes a difference that a reset takes back. */
  change?: () => Promise<unknown>
  reset?: () => unknown
  close: () => unknown
}

const { program, entry, options = {} } = JSON.parse(process.argv[2] ?? '') as GuestOptions
const imported = await import(entry)

const starters: Record<GuestOptions['program'], () => Promise<Running>> = {
  async mockademy() {
    const { startEmulator } = imported as typeof import('mockademy')
    const emulator = await startEmulator(options)
    const client = createClient(emulator.url)
    let turn = 0
    return {
      url: emulator.url,
      change() {
        const body = JSON.stringify({ name: `Changed ${turn++}` })
        return client.send(`/v0/elements/${ELEMENT}`, { method: 'PATCH', headers: json, body })
      },
      reset: () => emulator.admin.reset(),
      close() {
        client.close()
        return emulator.close()
      },
    }
  },
  async emulate() {
    return await imported.createEmulator({ service: 'github', port: Number(options.port) })
  },
  async 'oauth2-mock-server'() {
    const server = new imported.OAuth2Server()
    await server.issuer.keys.generate('RS256')
    await server.start(0, '127.0.0.1')
    return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.stop() }
  },
}
const start = starters[program]
let kept: Running | undefined

/** One request over a connection of its own. */
async function sendOnce(url: string, path: string): Promise<void> {
  const client = createClient(url)
  await client.send(path, { expect: [200, 404] })
  client.close()
}

const calls: {
  [C in keyof GuestCalls]: (...parameters: GuestCalls[C]['parameters']) => Promise<GuestCalls[C]['result']>
} = {
  async open() {
    kept = await start()
    return kept.url
  },
  async starts(times) {
    let running: Running | undefined
    return await medianTime(
      times,
      async () => {
        running = await start()
      },
      () => running?.close(),
    )
  },
  async cycles(times) {
    for (let cycle = 0; cycle < times; cycle++) {
      const running = await start()
      await sendOnce(running.url, '/healthz')
      await running.close()
    }
    return null
  },
  async resets(times) {
    const running = kept as Running
    await running.change?.()
    return await medianTime(
      times,
      async () => running.reset?.(),
      () => running.change?.(),
    )
  },
  async memory() {
    // Recently closed servers release their handles a few turns later.
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    globalThis.gc?.()
    const { heapUsed, rss } = process.memoryUsage()
    return { heap: heapUsed / 1024, rss: rss / 1024, handles: process.getActiveResourcesInfo() }
  },
  async close() {
    await kept?.close()
    kept = undefined
    return null
  },
}

process.on('message', async ({ name, parameters }: { name: keyof GuestCalls; parameters: unknown[] }) => {
  const call = calls[name] as (...parameters: unknown[]) => Promise<unknown>
  try {
    process.send?.({ result: await call(...parameters) })
  } catch (error) {
    process.send?.({ error: String(error) })
  }
})
process.once('disconnect', () => process.exit())
