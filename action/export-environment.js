/**
 * What the action runs under `mockademy exec`: `export-environment.js FILE` writes the variables that `exec` has set to
 * FILE, a `NAME=value` line each, and stays, since the emulator ends with it.
 */
import { renameSync, writeFileSync } from 'node:fs'

const [, , file] = process.argv
const { MOCKADEMY_URL } = process.env
const authorities = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE']

const names = ['MOCKADEMY_URL', ...(MOCKADEMY_URL.startsWith('https:') ? authorities : [])]
const exported = Object.entries(process.env).filter(([name]) => names.includes(name) || name.startsWith('PLATFORM_'))

// The file appears whole: its being there is the sign that the emulator serves.
writeFileSync(`${file}.draft`, exported.map(([name, value]) => `${name}=${value}\n`).join(''))
renameSync(`${file}.draft`, file)

setInterval(() => {}, 60_000)
