import type { World } from './world.js'

/** Returns a secret as banner and start page show it: in clear text only when the fixtures give it. control-api: "CLI" */
export function shownSecret({ origin }: Pick<World, 'origin'>, secret: string | null): string {
  if (secret === null) return '(none)'
  return origin.fixture_secrets.includes(secret) ? secret : '(made at run time)'
}
