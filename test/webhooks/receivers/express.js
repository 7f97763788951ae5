import { createHmac, timingSafeEqual } from 'node:crypto'
import express from 'express'

const isGenuine = (raw, signature = '') => {
  const expected = createHmac('sha256', process.env.PLATFORM_SIGNING_SECRET).update(raw).digest()
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const app = express()

app.post('/webhook', express.raw({ type: () => true }), (request, response) => {
  if (!isGenuine(request.body, request.get('platform-signature'))) return response.sendStatus(401)
  const event = JSON.parse(request.body)
  console.log(event.type, event.id)
  response.sendStatus(200)
})

app.listen(process.env.PORT ?? 3000)
