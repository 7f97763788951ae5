/**
 * Course Notes: a small extension app, as its developers would run it beside the emulator or on the platform.
 * It knows the platform by its documentation only: install webhooks, the token endpoint and the public API.
 *
 * Variables: PLATFORM_BASE_URL, PLATFORM_APP_URL, PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, PLATFORM_SIGNING_SECRET
 * (`mockademy exec` sets them all), PORT and HOST (the address to listen on; `localhost` when left out).
 */
import express from 'express'
import { createInstallations } from './installations.js'
import { createPlatform } from './platform.js'
import { createWebhook } from './webhook.js'

const installations = createInstallations()
const platform = createPlatform({
  baseUrl: required('PLATFORM_BASE_URL'),
  appUrl: required('PLATFORM_APP_URL'),
  clientId: required('PLATFORM_CLIENT_ID'),
  clientSecret: required('PLATFORM_CLIENT_SECRET'),
  installations,
})

const app = express()
app.post('/webhook', createWebhook({ signingSecret: required('PLATFORM_SIGNING_SECRET'), installations }))

/** Where the platform sends the browser of whoever has installed the app. */
app.get('/setup', (request, response) => {
  const installation = installations.of(String(request.query.organization))
  if (!installation) return response.status(202).send('Your installation is not here yet. Reload in a moment.')
  response.send(`Course Notes is ready for ${installation.name}. Welcome, ${installation.installer}!`)
})

app.get('/organizations/:organization/courses', async (request, response) => {
  await answerFrom(platform, request, response, '/v0/courses')
})

app.get('/organizations/:organization/elements/:id', async (request, response) => {
  await answerFrom(platform, request, response, `/v0/elements/${encodeURIComponent(request.params.id)}`)
})

app.get('/organizations/:organization/members', async (request, response) => {
  await answerFrom(platform, request, response, '/v0/members')
})

/** Passes the platform's answer on; 404 where the app is not installed. */
async function answerFrom(platform, request, response, path) {
  const answer = await platform.get(request.params.organization, path)
  if (!answer) return response.status(404).json({ error: 'The app is not installed in this organization' })
  response.status(answer.status).json(answer.body)
}

function required(name) {
  const value = process.env[name]
  if (value) return value
  console.error(`Set ${name}`)
  process.exit(1)
}

const server = app.listen(Number(process.env.PORT ?? 3000), process.env.HOST ?? 'localhost', () => {
  console.log(`Course Notes listens at http://localhost:${server.address().port}`)
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(0))
