import { createRequire } from 'node:module'

/** The package's manifest. */
export const packageManifest = createRequire(import.meta.url)('mockademy/package.json') as {
  version: string
  repository: { url: string }
  bugs: { url: string }
}

/** The package's version. */
export const { version } = packageManifest
