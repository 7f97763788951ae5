import type { Options } from 'yargs'
import { textFlag } from './command.js'

/** The app whose values `env` prints and `exec` sets. control-api: "CLI" */
export const appFlag = {
  app: textFlag('App whose client id and secrets are set, by manifest id or client id', {
    defaultDescription: 'the first',
  }),
} satisfies Record<string, Options>
