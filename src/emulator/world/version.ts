import { createRequire } from 'node:module'
import { dirname } from 'node:path'

const require = createRequire(import.meta.url)

/** The package's manifest. */
export const packageManifest = require('mockademy/package.json') as {
  version: string
  repository: { url: string }
  bugs: { url: string }
}

/** The package's version. */
export const { version } = packageManifest

/** The folder that the package is in. */
export const packageFolder = dirname(require.resolve('mockademy/package.json'))
