import type { Options } from 'yargs'
import type { Arguments } from './command.js'

/** The flag of every command that begins a world. control-api: "CLI" */
export const fixtureFlags = {
  fixtures: {
    type: 'array',
    string: true,
    requiresArg: true,
    describe: 'Fixture file to begin with; may be given several times [MOCKADEMY_FIXTURES, comma-separated]',
  },
} as const satisfies Record<string, Options>

/** @returns the paths that the flag names, or else the variable; undefined when neither names any. */
export function fixturesGiven(args: Arguments): string[] | undefined {
  if (args.fixtures !== undefined) return args.fixtures as string[]
  const listed = (process.env.MOCKADEMY_FIXTURES ?? '').split(',').map((path) => path.trim())
  const paths = listed.filter((path) => path !== '')
  return paths.length > 0 ? paths : undefined
}
