import { createHmac, timingSafeEqual } from 'node:crypto'
import Fastify from 'fastify'

const isGenuine = (raw, signature = '') => {
  const expected = createHmac('sha256', process.env.PLATFORM_SIGNING_SECRET).update(raw).digest()
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const app = Fastify()

// Instead of Fastify's own parser, which keeps only the parsed body.
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

app.post('/webhook', (request, reply) => {
  if (!isGenuine(request.body, request.headers['platform-signature'])) return reply.code(401).send()
  const event = JSON.parse(request.body)
  console.log(event.type, event.id)
  return reply.code(200).send()
})

await app.listen({ port: Number(process.env.PORT ?? 3000) })
