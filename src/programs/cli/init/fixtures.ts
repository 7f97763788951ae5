import { basename, dirname, relative, sep } from 'node:path'
import type { Config } from '../../../control/start/config.js'

export const WORLD = 'mockademy/world.json'
export const APP = 'mockademy/app.json'

/** Returns the fixtures of a configuration in the working folder, these with the app of `init`, and the step that adds that. */
export function fixturesOf({ file = '', fixtures = [] }: Config) {
  const isHere = dirname(file) === process.cwd()
  const own = isHere ? fixtures.map((each) => relative('', each).replaceAll(sep, '/')) : []
  const withApp = own.includes(APP) ? own : own.length > 0 ? [...own, APP] : [WORLD, APP]
  const step = `set "fixtures": [${withApp.map((each) => JSON.stringify(each)).join(', ')}] in ${basename(file)}`
  return { own, withApp, step: isHere && withApp !== own ? step : undefined }
}
