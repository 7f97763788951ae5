import { createHmac, timingSafeEqual } from 'node:crypto'

const isGenuine = (raw, signature) => {
  const expected = createHmac('sha256', process.env.PLATFORM_SIGNING_SECRET).update(raw).digest()
  const given = Buffer.from(signature ?? '', 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

export async function POST(request) {
  const raw = Buffer.from(await request.arrayBuffer())
  if (!isGenuine(raw, request.headers.get('platform-signature'))) return new Response(null, { status: 401 })
  const event = JSON.parse(raw)
  console.log(event.type, event.id)
  return new Response(null, { status: 200 })
}
