/**
 * What the action runs under `mockademy exec`: `export-environment.js FILE` writes the variables that `exec` has set to
 * FILE, a `NAME=value` line each, and stays, since the emulator ends with it.
 */
import { renameSync, writeFileSync } from 'node:fs'

const [, , file] = process.argv
const { MOCKADEMY_URL, NODE_EXTRA_CA_CERTS } = process.env

const exported = Object.entries(process.env).filter(
  ([name]) => name === 'MOCKADEMY_URL' || name.startsWith('PLATFORM_'),
)
if (MOCKADEMY_URL.startsWith('https:')) exported.push(['NODE_EXTRA_CA_CERTS', NODE_EXTRA_CA_CERTS])

// The file appears whole: its being there is the sign that the emulator serves.
writeFileSync(`${file}.draft`, exported.map(([name, value]) => `${name}=${value}\n`).join(''))
renameSync(`${file}.draft`, file)

setInterval(() => {}, 60_000)
