/**
 * Course Notes: a small extension app, as its developers would run it beside the emulator or on the platform.
 * It knows the platform by its documentation only: install webhooks, the token endpoint, sign-in and the public API.
 *
 * Variables: PLATFORM_BASE_URL, PLATFORM_APP_URL, PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, PLATFORM_SIGNING_SECRET
 * (`mockademy exec` sets them all); PORT, HOST (the address to listen on), ORIGIN (where browsers reach it) and
 * DATA_FILE (to keep installations in).
 */
import { createServer } from 'node:http'
import { createApp } from './app.js'

/** @param {string} name @returns {string} */
function required(name) {
  const value = process.env[name]
  return value || fail(`Set ${name}`)
}

/** @param {string} message @returns {never} */
function fail(message) {
  console.error(message)
  process.exit(1)
}

const options = {
  baseUrl: required('PLATFORM_BASE_URL').replace(/\/$/, ''),
  appUrl: required('PLATFORM_APP_URL').replace(/\/$/, ''),
  clientId: required('PLATFORM_CLIENT_ID'),
  clientSecret: required('PLATFORM_CLIENT_SECRET'),
  signingSecret: required('PLATFORM_SIGNING_SECRET'),
  dataFile: process.env.DATA_FILE,
}

const port = Number(process.env.PORT ?? 3000)
if (!(port >= 0 && port < 65_536)) fail('PORT must be a number from 0 to 65535')

const server = createServer()
server.on('error', ({ message }) => fail(message))
server.listen(port, process.env.HOST ?? 'localhost', () => {
  const url = `http://localhost:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`
  try {
    server.on('request', createApp({ ...options, origin: new URL(process.env.ORIGIN ?? url).origin }))
  } catch (error) {
    fail(error.message)
  }
  console.log(`Course Notes listens at ${url}`)
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(0))
