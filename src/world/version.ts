import { createRequire } from 'node:module'

const manifest = createRequire(import.meta.url)('mockademy/package.json') as {
  version: string
  repository: { url: string }
}

/** The package's version. */
export const { version } = manifest

/** Where the pages of `docs/` are that belong to this version. */
export const documentation = `${manifest.repository.url.replace(/^git\+|\.git$/g, '')}/blob/v${version}/docs`
