// An express 5 server that does nothing but answer: the reference for requests, and for starting when it is given no
// answers. `bare-express.js ANSWERS.json` reads `{ "GET /v0/elements/:id": { "status": 200, "body": … } }`.
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import express from 'express'

const app = express()
app.get('/healthz', (_, response) => response.json({ status: 'ok' }))

const file = process.argv[2]
for (const [route, answer] of Object.entries(file ? JSON.parse(readFileSync(file, 'utf8')) : {})) {
  const [method, path] = route.split(' ')
  const body = path === '/oauth/token' ? express.urlencoded({ extended: false }) : express.json()
  app[method.toLowerCase()](path, ...(method === 'GET' ? [] : [body]), (_, response) => {
    if (answer.location) response.redirect(answer.location)
    else response.status(answer.status).json(answer.body)
  })
}
// Posts what it got to another server, and answers when that one has: what a webhook costs at the least.
app.post('/relay', express.text({ type: '*/*' }), (incoming, outgoing) => {
  const onward = request(incoming.headers['x-relay-to'], { method: 'POST' }, (response) => {
    response.resume().on('end', () => outgoing.json({ status: response.statusCode }))
  })
  onward.end(incoming.body)
})

const server = app.listen(0, '127.0.0.1', () => console.log(`ready at http://127.0.0.1:${server.address().port}`))
