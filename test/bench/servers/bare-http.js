// The least that Node can do: a server that answers 200. The reference for starting.
import { createServer } from 'node:http'

const server = createServer((_, response) => {
  response.setHeader('content-type', 'application/json')
  response.end('{"status":"ok"}')
})
server.listen(0, '127.0.0.1', () => console.log(`ready at http://127.0.0.1:${server.address().port}`))
