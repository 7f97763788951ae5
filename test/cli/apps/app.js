// An app as a beginner writes it with express: it verifies webhooks, keeps its access token and calls the platform.
const { spawn } = require('node:child_process')
const { createHmac } = require('node:crypto')
const express = require('express')

const { PLATFORM_BASE_URL, PLATFORM_CLIENT_ID, PLATFORM_SIGNING_SECRET, PORT } = process.env
let token

const app = express()
app.post('/webhook', express.raw({ type: '*/*' }), (request, response) => {
  const expected = createHmac('sha256', PLATFORM_SIGNING_SECRET).update(request.body).digest('hex')
  if (request.get('platform-signature') !== expected) return response.status(401).send('bad signature')
  const { type, data } = JSON.parse(request.body)
  if (type === 'app.installed') token = data.credentials.access_token
  console.log(`app got ${type}`)
  response.send('ok')
})
app.get('/courses', async (_, response) => {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${PLATFORM_BASE_URL}/v0/courses`, { headers })
  response.status(answer.status).send(await answer.text())
})

// As a bundler does, it runs a process of its own and clears the terminal.
const worker = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
console.log(`\x1b[2J\x1b[3J\x1b[Happ ${PLATFORM_CLIENT_ID} runs as ${process.pid}, its worker as ${worker.pid}.`)
app.listen(Number(PORT))
