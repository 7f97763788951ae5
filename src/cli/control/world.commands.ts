import { writeFile } from 'node:fs/promises'
import type { CommandGroup } from '../command.js'
import { control, inPath, subcontrol } from './control-command.js'
import { readJsonFile } from './json-file.js'

/** control-api: "World" */
export const reset = control({
  call: () => ({ method: 'POST', path: '/_admin/reset' }),
  shows: ['world', 'store', 'counts'],
})

/** control-api: "World", snapshots */
export const snapshot = control({
  operands: { name: { type: 'string', describe: 'Name of the snapshot' } },
  flags: {
    restore: { type: 'boolean', describe: 'Go to the snapshot of this name' },
    delete: { type: 'boolean', describe: 'Forget the snapshot of this name', conflicts: 'restore' },
  },
  call({ name, restore, delete: forget }) {
    if (name === undefined) return { method: 'GET', path: '/_admin/snapshots' }
    if (restore) return { method: 'POST', path: `/_admin/snapshots/${inPath(name)}/restore` }
    if (forget) return { method: 'DELETE', path: `/_admin/snapshots/${inPath(name)}` }
    return { method: 'POST', path: '/_admin/snapshots', body: { name } }
  },
})

const file = { type: 'string', describe: 'A fixture document; - or nothing for standard output or input' } as const

/** control-api: "World", state */
export const state: CommandGroup = {
  subcommands: [
    subcontrol('export [file]', 'Write the whole world as a fixture document, secrets in clear', {
      operands: { file },
      call: () => ({ method: 'GET', path: '/_admin/state' }),
      async print(answer, { file }) {
        const text = JSON.stringify(answer, null, 2)
        if (file === undefined || file === '-') return text
        await writeFile(String(file), `${text}\n`)
        return `${file}: written`
      },
    }),
    subcontrol('import <file>', 'Replace the world by a fixture document', {
      operands: { file },
      call: async ({ file }) => ({ method: 'PUT', path: '/_admin/state', body: await readJsonFile(String(file)) }),
      shows: ['world', 'store', 'counts'],
    }),
  ],
}
