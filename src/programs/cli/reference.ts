import { commandReference } from './reference/command-reference.js'
import { controlReference } from './reference/control-reference.js'
import { settingsReference } from './reference/settings-reference.js'

/**
 * Prints the generated part of each page that has one, by its file, for `npm run docs`. It is made of the tables and
 * schemas that the program itself goes by.
 */
const parts = {
  'docs/control-api.md': await controlReference(),
  'docs/settings.md': settingsReference(),
  'docs/commands.md': await commandReference(),
}
process.stdout.write(`${JSON.stringify(parts, null, 2)}\n`)
