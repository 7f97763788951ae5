// Serves the route handler that docs/webhooks.md shows: Next.js calls it with a Request and sends its Response.
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { POST } from './next.js'

createServer(async (message, response) => {
  const { method, headers } = message
  const request = new Request(`http://localhost${message.url}`, {
    method,
    headers,
    body: Readable.toWeb(message),
    duplex: 'half',
  })
  const { status } = await POST(request)
  response.writeHead(status).end()
}).listen(process.env.PORT)
