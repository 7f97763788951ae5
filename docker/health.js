/**
 * The image's health check: `health.js CMDLINE`, where CMDLINE is the file in which the kernel keeps the arguments of
 * the container's first process. Status 0 when the emulator serves.
 *
 * The emulator is looked for where its flags or else its variables say that it listens. This is not `mockademy wait`:
 * it runs every other second, and the command line takes several times as long to load.
 */
import { readFileSync } from 'node:fs'

/** In milliseconds; less than the time that the Dockerfile gives it. */
const WITHIN = 3000

const [, , cmdline] = process.argv
const { MOCKADEMY_HOST, MOCKADEMY_PORT, MOCKADEMY_HTTPS } = process.env
const flags = flagsOf(cmdline)
const isOn = ['', 'true', '1', 'yes'].includes((flags.https ?? (MOCKADEMY_HTTPS || 'no')).toLowerCase())
const host = flags.host ?? MOCKADEMY_HOST
const address = {
  host: !host || host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host,
  port: flags.port ?? (MOCKADEMY_PORT || 4600),
  path: '/healthz',
}

const { get } = await import(isOn ? 'node:https' : 'node:http')
// Whether it serves is the question, not who it is: its certificate is its own local authority's.
const request = get({ ...address, agent: false, rejectUnauthorized: false, timeout: WITHIN }, ({ statusCode }) =>
  end(statusCode === 200 ? 0 : 1, `status ${statusCode}`),
)
request.on('timeout', () => end(1, `no answer within ${WITHIN} ms`))
request.on('error', ({ message }) => end(1, message))

/** @param {number} status @param {string} text for `docker inspect` */
function end(status, text) {
  process.stdout.write(`${isOn ? 'https' : 'http'}://${address.host}:${address.port}/healthz: ${text}\n`)
  process.exit(status)
}

/**
 * The flags that say where the emulator listens, from `…\0entrypoint.js\0…`; an init process may come before.
 * @param {string} file
 * @returns {{ host?: string, port?: string, https?: string }}
 */
function flagsOf(file) {
  const words = readFileSync(file, 'utf8').split('\0')
  const own = words.slice(words.findIndex((word) => word.endsWith('/entrypoint.js')) + 1)
  const flags = {}
  for (const [index, word] of own.entries()) {
    if (word === '--') break
    const [, name, value] = /^--(host|port|https|no-https)(?:=(.*))?$/.exec(word) ?? []
    if (name === 'no-https') flags.https = 'no'
    else if (name === 'https') flags.https = value ?? (own[index + 1] === 'false' ? 'false' : '')
    else if (name) flags[name] = value ?? own[index + 1]
  }
  return flags
}
