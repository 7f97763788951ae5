/**
 * The command line in the image: `entrypoint.js FOLDER [argument…]`.
 *
 * `start` and `exec` begin with the `*.json` of FOLDER, in the order of their names, when there are any and neither
 * MOCKADEMY_FIXTURES nor --fixtures names others.
 */
import { readdirSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'

// The kernel drops a signal that its first process does not listen for. `start` does, but only once it is loaded.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal])
  })
}

const [node, , folder, ...rest] = process.argv
process.env.MOCKADEMY_FIXTURES ||= fixturesIn(folder).join(',')
process.argv = [node, 'mockademy', ...rest]
await import('../bin/mockademy.js')

/** @param {string} folder @returns {string[]} paths; none when there is no such folder */
function fixturesIn(folder) {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    return names.sort().map((name) => join(folder, name))
  } catch (error) {
    if (error.code === 'ENOENT') return []
    process.stderr.write(`mockademy: the folder ${folder} cannot be read: ${error.code}\n`)
    process.exit(2)
  }
}
