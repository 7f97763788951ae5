import type { Options } from 'yargs'

/** The app whose values `env` prints and `exec` sets. control-api: "CLI" */
export const appFlag = {
  app: {
    type: 'string',
    describe: 'App whose client id and secrets are set, by manifest id or client id',
    defaultDescription: 'the first',
    requiresArg: true,
  },
} as const satisfies Record<string, Options>
