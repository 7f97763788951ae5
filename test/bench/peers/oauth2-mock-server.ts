import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient, medianTime } from '../client.js'
import { startGuest } from '../guest.js'
import type { Bench, Peer, PeerContender } from '../measurement.js'
import { freePort, startServer } from '../processes.js'
import { scriptOf } from './script.js'

const name = 'oauth2-mock-server'
const redirect_uri = 'http://localhost:3000/callback'

async function start(home: string) {
  const port = await freePort()
  const args = [await scriptOf(home, name), '-a', '127.0.0.1', '-p', String(port)]
  return startServer({ args, cwd: home, port, health: '/.well-known/openid-configuration' })
}

const guest = (home: string) =>
  startGuest({ program: name, entry: pathToFileURL(join(home, 'node_modules', name, 'dist', 'index.mjs')).href })

/** Repeats an exchange with it, one after the other. */
async function repeating(
  home: string,
  bench: Bench,
  exchange: (client: ReturnType<typeof createClient>) => Promise<unknown>,
): Promise<PeerContender[]> {
  const server = await start(home)
  const client = createClient(server.url)
  return [
    {
      name,
      once: () => medianTime(bench.times(60, 25), () => exchange(client)),
      async stop() {
        client.close()
        await server.stop('SIGKILL')
      },
    },
  ]
}

const token = (client: ReturnType<typeof createClient>, fields: Record<string, string>) =>
  client.send('/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...fields, client_id: 'bench', client_secret: 'bench' }).toString(),
  })

/** An OAuth 2 server for tests. https://github.com/axa-group/oauth2-mock-server */
export const oauth2MockServer: Peer = {
  name,
  version: '9.3.0',
  answers: {
    async start(home) {
      const once = async () => {
        const server = await start(home)
        await server.stop('SIGKILL')
        return server.firstAnswer
      }
      return [{ name, once }]
    },
    async 'in-process/start'(home, bench) {
      const running = await guest(home)
      return [{ name, once: () => running.call('starts', bench.times(5, 2)), stop: running.stop }]
    },
    refresh: (home, bench) =>
      repeating(home, bench, (client) => token(client, { grant_type: 'refresh_token', refresh_token: 'bench' })),
    'silent-sign-in': (home, bench) =>
      repeating(home, bench, async (client) => {
        const query = new URLSearchParams({ client_id: 'bench', response_type: 'code', scope: 'openid', redirect_uri })
        const { headers } = await client.send(`/authorize?${query}&state=bench`, { expect: [302] })
        const code = new URL(String(headers.location)).searchParams.get('code') ?? ''
        await token(client, { grant_type: 'authorization_code', code, redirect_uri })
      }),
  },
  serves: {},
}
