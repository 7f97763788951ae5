import { createRequire } from 'node:module'
import { dirname } from 'node:path'

const require = createRequire(import.meta.url)

export const packageManifest = require('mockademy/package.json') as {
  version: string
  repository: { url: string }
  bugs: { url: string }
}

export const { version } = packageManifest

export const packageFolder = dirname(require.resolve('mockademy/package.json'))
