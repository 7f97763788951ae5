import { environmentFor } from '../../../control/start/environment.js'
import { variableLines } from '../../../control/start/environment-variables.js'
import { type Arguments, type CommandGroup, flag, textFrom, wrongUse } from '../command/command.js'
import { readJsonFile } from '../files/json-file.js'
import { writeText } from '../files/output-file.js'
import { asJson, type CallByName, commandOf, control, presented, subcontrol } from './control-command.js'

/** control-api: "CLI": address, clock, counts, what is pending */
export const statusCommand = control({
  calls: ['world', 'clock', 'listDeliveries', 'listFaults', 'listSilentAuth'],
  async request(call) {
    const world = await call('world')
    const [pending, retrying] = await Promise.all(
      ['pending', 'retrying'].map(async (state) => (await call('listDeliveries', { query: { state } })).length),
    )
    return {
      base_url: world.base_url,
      app_url: world.app_url,
      store: `${world.store} (${world.world})`,
      clock: await call('clock'),
      counts: world.counts,
      pending: {
        deliveries: pending,
        retries: retrying,
        faults: (await call('listFaults')).length,
        silent_auth: (await call('listSilentAuth')).length,
      },
    }
  },
  print({ clock, counts, pending, ...rest }) {
    const { now, frozen } = clock
    const inWords = (numbers: object) =>
      Object.entries(numbers)
        .map(([name, number]) => `${number} ${name.replaceAll('_', ' ')}`)
        .join(', ')
    const words = { clock: `${now}${frozen ? ', stopped' : ''}`, counts: inWords(counts), pending: inWords(pending) }
    return presented({ ...rest, ...words })
  },
})

/** The app whose values `env` prints and `exec` sets. control-api: "CLI" */
export const appFlag = {
  app: flag.text('App whose client id and secrets are set, by manifest id or client id', {
    defaultDescription: 'the first',
  }),
}

/** control-api: "CLI": what `exec` sets, for the emulator that runs */
export const envCommand = control({
  flags: appFlag,
  calls: ['world', 'getState', 'listApps', 'getApp', 'getAppSecrets'],
  async request(call, args, url) {
    const { app_url } = await call('world')
    const { organizations = [] } = (await call('getState')) as { organizations?: { api_key?: string | null }[] }
    const name = textFrom(args, 'app')
    const [app] = name === undefined ? await call('listApps') : [await call('getApp', { params: { app: name } })]
    const secrets = app && (await call('getAppSecrets', { params: { app: app.id } }))
    return environmentFor({ url, app_url, api_key: organizations[0]?.api_key, client_id: app?.client_id, ...secrets })
  },
  print: (variables) => variableLines(variables),
})

/** control-api: "Clock" */
export const clockCommand: CommandGroup = {
  subcommands: [
    { ...commandOf('clock'), line: ['show', '$0'] },
    commandOf('advanceClock'),
    commandOf('freezeClock'),
    commandOf('resumeClock'),
  ],
}

/** control-api: "World", snapshots */
export const snapshotCommand = control({
  operands: { name: { type: 'string', describe: 'Name of the snapshot' } },
  flags: {
    restore: flag.switch('Restore the snapshot of this name'),
    delete: flag.switch('Delete the snapshot of this name', { conflicts: 'restore' }),
  },
  example: 'before --restore',
  calls: ['snapshot', 'listSnapshots', 'restoreSnapshot', 'deleteSnapshot'],
  request(call, { name, restore, delete: forget }) {
    if (name === undefined) {
      if (!restore && !forget) return call('listSnapshots')
      throw wrongUse(`snapshot --${restore ? 'restore' : 'delete'} needs the name of a snapshot`)
    }
    if (restore) return call('restoreSnapshot', { params: { name } })
    if (forget) return call('deleteSnapshot', { params: { name } })
    if (name === 'list') throw wrongUse('"snapshot" without a name lists the snapshots')
    if (name === 'restore' || name === 'delete') throw wrongUse(`to ${name} a snapshot: snapshot NAME --${name}`)
    return call('snapshot', { body: { name } })
  },
})

const target = { type: 'string', describe: 'File to write; - or nothing for standard output' } as const
const source = { type: 'string', describe: 'File with a fixture document; - for standard input' } as const
const withDocument = <N extends 'putState' | 'addFixtures'>(name: N) => ({
  operands: { file: source },
  calls: [name],
  request: async (call: CallByName, { file }: Arguments) => call(name, { body: await readJsonFile(String(file)) }),
})

/** control-api: "World", state */
export const stateCommand: CommandGroup = {
  subcommands: [
    subcontrol('export [file]', 'Write the whole world as a fixture document, with secrets in clear text', {
      operands: { file: target },
      example: 'world.json',
      calls: ['getState'],
      request: (call) => call('getState'),
      async print(result, { file }) {
        const text = asJson(result)
        if (file === undefined || file === '-') return text
        await writeText(file, () => `${text}\n`)
        return `${file}: written`
      },
    }),
    subcontrol('import <file>', 'Replace the world with a fixture document', {
      ...withDocument('putState'),
      example: 'world.json',
      shows: ['world', 'store', 'counts'],
    }),
    subcontrol('add <file>', 'Add a fixture document to the world', {
      ...withDocument('addFixtures'),
      example: 'more.json',
    }),
  ],
}
