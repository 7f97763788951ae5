import { type Client, createClient, medianTime } from '../client.js'
import type { Measurement } from '../measurement.js'
import { startReceiver } from '../receiver.js'
import { app, installation, json, worldWithApp } from '../worlds.js'
import { compare } from './compare.js'

const BARE = 'bare express'

const form = (fields: Record<string, string>) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ ...fields, client_id: app.client_id, client_secret: app.client_secret }).toString(),
})

/** A refresh, each with the refresh token that the one before gave. @returns the latest answer's text */
function refresher(client: Client) {
  let refresh_token = installation.refresh_token
  return async () => {
    const { text } = await client.send('/oauth/token', form({ grant_type: 'refresh_token', refresh_token }))
    refresh_token = JSON.parse(text).refresh_token
    return text
  }
}

/** A silent sign-in with a session's cookie: the authorization request and the exchange of its code. */
function signer(client: Client, cookie: string) {
  const query = new URLSearchParams({
    client_id: app.client_id,
    response_type: 'code',
    scope: 'openid profile email',
    redirect_uri: app.redirect_uri,
    prompt: 'none',
  })
  let turn = 0
  return async () => {
    query.set('state', `bench-${turn++}-3f9c1b7a5d2e8064`)
    const { headers } = await client.send(`/oauth/authorize?${query}`, { headers: { cookie }, expect: [302, 303] })
    const code = new URL(String(headers.location)).searchParams.get('code') ?? ''
    const grant = { grant_type: 'authorization_code', code, redirect_uri: app.redirect_uri }
    const { text } = await client.send('/oauth/token', form(grant))
    if (!text.includes('id_token')) throw new Error(`The exchange gave no id_token: ${text}`)
    return text
  }
}

/** Signs the one user in. @returns the cookie header */
async function signIn(client: Client): Promise<string> {
  const { text } = await client.send('/_admin/sessions', { method: 'POST', headers: json, body: '{"user":"ada"}' })
  const { cookie } = JSON.parse(text)
  return `${cookie.name}=${cookie.value}`
}

/** A row that does the same exchange with the emulator and with an express server that answers the same. */
const exchange = (
  id: string,
  title: string,
  requests: [full: number, quick: number],
  make: (client: Client) => Promise<() => Promise<string>>,
): Measurement => ({
  id,
  async measure(bench) {
    const emulator = await bench.startWith(worldWithApp('http://127.0.0.1:9/'))
    const client = createClient(emulator.url)
    const run = await make(client)
    const express = await bench.express({
      'POST /oauth/token': { status: 200, body: JSON.parse(await run()) },
      'POST /_admin/sessions': { status: 201, body: { cookie: { name: 'session', value: 'bench' } } },
      'GET /oauth/authorize': { location: `${app.redirect_uri}?code=bench&state=bench` },
    })
    const bare = createClient(express.url)
    const bareRun = await make(bare)
    const times = bench.times(...requests)
    const contenders = [
      { name: BARE, once: () => medianTime(times, bareRun) },
      { name: 'mockademy', once: () => medianTime(times, run) },
    ]
    const row = await compare(bench, { id, unit: 'ms', rounds: bench.times(9, 5), reference: BARE, contenders })
    bare.close()
    client.close()
    await Promise.all([express.stop(), emulator.stop()])
    return { title, ...row, goals: [] }
  },
})

export const refresh = exchange('refresh', 'POST /oauth/token, a refresh', [150, 60], async (client) =>
  refresher(client),
)

export const silentSignIn = exchange(
  'silent-sign-in',
  'GET /oauth/authorize with prompt=none, and the exchange of its code for an id_token',
  [60, 25],
  async (client) => signer(client, await signIn(client)),
)

/** From the call that sends an event until the app has acknowledged it and the emulator has written that down. */
const webhookId = 'webhook'
export const webhook: Measurement = {
  id: webhookId,
  async measure(bench) {
    const receiver = await startReceiver()
    const emulator = await bench.startWith(worldWithApp(receiver.url))
    const express = await bench.express({})
    const [client, bare] = [createClient(emulator.url), createClient(express.url)]
    const event = JSON.stringify({
      type: 'bench.event',
      installation: installation.id,
      data: { note: 'x'.repeat(200) },
    })
    const times = bench.times(100, 40)
    const roundTrip = async () => {
      await client.send('/_admin/events', { method: 'POST', headers: json, body: event })
      const { text } = await client.send('/_admin/deliveries/settled?timeout=5s', { headers: json })
      if (!JSON.parse(text).settled) throw new Error('The webhook was not acknowledged within 5 s.')
    }
    const relay = { method: 'POST', headers: { 'content-type': 'text/plain', 'x-relay-to': receiver.url }, body: event }
    const contenders = [
      { name: BARE, once: () => medianTime(times, () => bare.send('/relay', relay)) },
      { name: 'mockademy', once: () => medianTime(times, roundTrip) },
    ]
    const row = await compare(bench, {
      id: webhookId,
      unit: 'ms',
      rounds: bench.times(9, 5),
      reference: BARE,
      contenders,
    })
    const sent = receiver.arrivals.length
    client.close()
    bare.close()
    await Promise.all([emulator.stop(), express.stop(), receiver.close()])
    if (sent < 2 * times) throw new Error(`Only ${sent} webhooks arrived.`)
    return {
      title: 'an event sent, signed, received, acknowledged and settled (bare express relays one POST)',
      ...row,
      goals: [],
    }
  },
}
