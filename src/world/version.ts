import { createRequire } from 'node:module'

/** The package's version. */
export const { version } = createRequire(import.meta.url)('mockademy/package.json') as { version: string }
