import { existsSync, realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { createCaller } from '../../../control/client/caller.js'
import { type Owner, ownerIn } from '../../../foundation/store/owner.js'
import { addressOf, controlFlags } from '../parts/address.js'
import type { Command } from '../parts/command.js'
import { CommandFailure } from '../parts/command-failure.js'
import { configFlag, configFrom } from '../parts/config.js'

const BETWEEN_LOOKS = 50
/** `start` ends within three seconds of a signal. control-api: "CLI" */
const STOPS_WITHIN = 5000

/** `mockademy stop`: ends the process that has a store open. control-api: "CLI" */
export const stopCommand: Command = {
  flags: {
    store: {
      type: 'string',
      describe: 'Store file of the emulator',
      defaultDescription: '.mockademy/store.json',
      requiresArg: true,
      conflicts: 'url',
    },
    url: controlFlags.url,
    'admin-token': controlFlags['admin-token'],
    ...configFlag,
  },
  example: '--store .mockademy/store.json',
  calls: ['world'],

  async run(args) {
    const store = args.url ? await storeAt(args) : await storeHere(args)
    const { pid, host } = await ownerOf(store)
    if (host !== hostname()) {
      throw new CommandFailure(
        1,
        `mockademy: the store ${store} is open in process ${pid} of another machine (${host})`,
      )
    }
    if (!signal(pid, 'SIGTERM'))
      throw new CommandFailure(1, `mockademy: process ${pid}, which had ${store} open, is gone`)
    const deadline = performance.now() + STOPS_WITHIN
    while (signal(pid, 0)) {
      if (performance.now() > deadline) throw new CommandFailure(1, `mockademy: process ${pid} does not end`)
      await pause(BETWEEN_LOOKS)
    }
    process.stdout.write(`stopped process ${pid}, which had ${store} open\n`)
    return 0
  },
}

async function storeHere(args: Record<string, unknown>): Promise<string> {
  const { settings } = await configFrom(args)
  return String(args.store ?? process.env.MOCKADEMY_STORE ?? settings.store ?? '.mockademy/store.json')
}

/** Returns the store of the emulator at --url. @throws CommandFailure 1 when it keeps none. */
async function storeAt(args: Record<string, unknown>): Promise<string> {
  const { url, token } = await addressOf(args)
  const { store } = await createCaller(url, token)('world')
  if (store !== 'memory') return store
  throw new CommandFailure(
    1,
    `mockademy: the emulator at ${url} keeps no store that would name its process; end it with Ctrl+C`,
  )
}

/** Returns the process that has the store open. @throws CommandFailure 1 when none has. */
async function ownerOf(store: string): Promise<Owner> {
  const file = `${existsSync(store) ? realpathSync(store) : store}.lock`
  const owner = ownerIn(await readFile(file, 'utf8').catch(() => ''))
  if (owner) return owner
  throw new CommandFailure(1, `mockademy: no emulator has the store ${store} open`)
}

/** Sends a signal; 0 sends none. @returns false when the process does not exist. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
