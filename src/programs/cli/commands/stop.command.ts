import { existsSync, realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { createCaller } from '../../../control/client/caller.js'
import { lifeOf, type Owner, ownerIn } from '../../../foundation/store/owner.js'
import { addressFlags, addressOf } from '../parts/address.js'
import { signalProcess } from '../parts/child-process.js'
import { type Arguments, type Command, failure, textFlag } from '../parts/command.js'
import { configFrom } from '../parts/emulator-options.js'

const DEFAULT_STORE = '.mockademy/store.json'
const BETWEEN_LOOKS = 50
/** `start` ends within three seconds of a signal. control-api: "CLI" */
const STOPS_WITHIN = 5000

/** `mockademy stop`: ends the process that has a store open. control-api: "CLI" */
export const stopCommand: Command = {
  flags: {
    store: textFlag('Store file of the emulator', { defaultDescription: DEFAULT_STORE, conflicts: 'url' }),
    ...addressFlags,
  },
  example: '--store .mockademy/store.json',
  calls: ['world'],

  async run(args) {
    const store = args.url ? await storeAt(args) : await storeHere(args)
    const owner = await ownerOf(store)
    const { pid, host } = owner
    if (host !== hostname()) throw failure(`the store ${store} is open in process ${pid} of another machine (${host})`)
    // Another process may have its pid by now.
    if (lifeOf(owner) === 'gone' || !signalProcess(owner, 'SIGTERM'))
      throw failure(`process ${pid}, which had ${store} open, is gone`)
    const deadline = performance.now() + STOPS_WITHIN
    // A process that its parent has not reaped can still be signalled.
    while (signalProcess(owner, 0) && lifeOf(owner) !== 'gone') {
      if (performance.now() > deadline) throw failure(`process ${pid} does not end`)
      await pause(BETWEEN_LOOKS)
    }
    process.stdout.write(`stopped process ${pid}, which had ${store} open\n`)
    return 0
  },
}

async function storeHere(args: Arguments): Promise<string> {
  const { settings } = await configFrom(args)
  return String(args.store ?? process.env.MOCKADEMY_STORE ?? settings.store ?? DEFAULT_STORE)
}

/** Returns the store of the emulator at --url. @throws CommandFailure 1 when it keeps none. */
async function storeAt(args: Arguments): Promise<string> {
  const { url, token } = await addressOf(args)
  const { store } = await createCaller(url, token)('world')
  if (store !== 'memory') return store
  throw failure(`the emulator at ${url} keeps no store that would name its process; end it with Ctrl+C`)
}

/** Returns the process that has the store open. @throws CommandFailure 1 when none has. */
async function ownerOf(store: string): Promise<Owner> {
  const file = `${existsSync(store) ? realpathSync(store) : store}.lock`
  const owner = ownerIn(await readFile(file, 'utf8').catch(() => ''))
  if (owner) return owner
  throw failure(`no emulator has the store ${store} open`)
}
