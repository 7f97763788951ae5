import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient, medianTime } from '../client.js'
import { startGuest } from '../guest.js'
import type { Peer, PeerContender } from '../measurement.js'
import { freePort, startServer } from '../processes.js'
import { scriptOf } from './script.js'

/** Default token of emulate, for a start without configuration. */
const headers = { authorization: 'Bearer test_token_admin', 'content-type': 'application/json' }

async function start(home: string, ...flags: string[]) {
  const port = await freePort()
  const args = [await scriptOf(home, 'emulate'), 'start', '--service', 'github', '--port', String(port), ...flags]
  return startServer({ args, cwd: home, port, health: '/users/admin' })
}

const guest = async (home: string) =>
  startGuest({
    program: 'emulate',
    entry: pathToFileURL(join(home, 'node_modules', 'emulate', 'dist', 'api.js')).href,
    options: { port: await freePort() },
  })

/** Emulators of hosted services, here that of GitHub. https://github.com/vercel-labs/emulate */
export const emulate: Peer = {
  name: 'emulate',
  // The last one that runs on Node 20.
  version: '0.11.2',
  answers: {
    async start(home) {
      const once = async () => {
        const server = await start(home)
        await server.stop('SIGKILL')
        return server.firstAnswer
      }
      return [{ name: 'emulate (GitHub)', once }]
    },
    async 'in-process/start'(home, bench) {
      const running = await guest(home)
      return [{ name: 'emulate (GitHub)', once: () => running.call('starts', bench.times(40, 20)), stop: running.stop }]
    },
    async 'in-process/cycles'(home, bench) {
      const running = await guest(home)
      const cycles = bench.times(1000, 200)
      const once = async () => {
        await running.call('cycles', cycles / 5)
        const { heap } = await running.call('memory')
        await running.call('cycles', cycles)
        return ((await running.call('memory')).heap - heap) / cycles
      }
      return [{ name: 'emulate (GitHub)', once, stop: running.stop }]
    },
    async 'reset/in-process'(home, bench) {
      const running = await guest(home)
      await running.call('open')
      const once = () => running.call('resets', bench.times(60, 25))
      return [{ name: 'emulate (GitHub, its empty store)', once, stop: running.stop }]
    },
    async create(home, bench): Promise<PeerContender[]> {
      const server = await start(home)
      const client = createClient(server.url)
      let turns = 0
      const create = () =>
        client.send('/user/repos', { method: 'POST', headers, body: JSON.stringify({ name: `bench-${turns++}` }) })
      return [
        {
          name: 'emulate (GitHub repositories, in memory)',
          once: () => medianTime(bench.times(100, 40), create),
          async stop() {
            client.close()
            await server.stop('SIGKILL')
          },
        },
      ]
    },
  },
  serves: {
    async read(home, bench) {
      // A token is good for 5,000 requests an hour, so each run has one of its own.
      const login = 'admin'
      const tokens = Object.fromEntries(Array.from({ length: 50 }, (_, number) => [`bench_${number}`, { login }]))
      const seed = join(await bench.folder('emulate'), 'seed.json')
      await writeFile(
        seed,
        JSON.stringify({ tokens, github: { users: [{ login, name: 'Admin', email: 'a@b.test' }] } }),
      )
      const { url, stop } = await start(home, '--seed', seed)
      let run = 0
      return {
        name: 'emulate (GET /user)',
        url: `${url}/user`,
        headers: () => ({ authorization: `Bearer bench_${run++}` }),
        most: 4500,
        stop: () => stop('SIGKILL'),
      }
    },
  },
}
