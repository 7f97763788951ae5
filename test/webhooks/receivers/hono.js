import { createHmac, timingSafeEqual } from 'node:crypto'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const isGenuine = (raw, signature = '') => {
  const expected = createHmac('sha256', process.env.PLATFORM_SIGNING_SECRET).update(raw).digest()
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const app = new Hono()

app.post('/webhook', async (context) => {
  const raw = Buffer.from(await context.req.arrayBuffer())
  if (!isGenuine(raw, context.req.header('platform-signature'))) return context.body(null, 401)
  const event = JSON.parse(raw)
  console.log(event.type, event.id)
  return context.body(null, 200)
})

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) })
