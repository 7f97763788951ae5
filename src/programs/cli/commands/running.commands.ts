import { existsSync, realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createCaller } from '../../../control/client/caller.js'
import { AdminError, UnreachableError } from '../../../control/client/errors.js'
import { lifeOf, ownerIn, sharesPids } from '../../../foundation/store/owner.js'
import { type Arguments, type Command, durationFrom, failure, flag } from '../command/command.js'
import { addressFlags, addressOf, controlFlags, emulatorGroup } from '../flags/address.js'
import { configFlag, configFrom, DEFAULT_STORE, defaultStoreOf } from '../flags/emulator-options.js'
import { openConsole } from '../processes/browser.js'
import { signalProcess } from '../processes/child-process.js'
import { processAt } from '../processes/run-file.js'

/** `mockademy open`: the console of a running emulator. console: Serving */
export const openCommand: Command = {
  flags: controlFlags,
  async run(args) {
    const { url, token } = await addressOf(args)
    await createCaller(url, token)('health')
    const address = `${url}/_console`
    process.stdout.write(`${args.json ? JSON.stringify({ console_url: address }) : address}\n`)
    await openConsole(url)
    return 0
  },
}

const POLL_INTERVAL = 100

/** `mockademy wait`: ends when the emulator serves. control-api: "CLI" */
export const waitCommand: Command = {
  flags: {
    timeout: flag.text('Maximum time to wait: milliseconds, or "10s", "1m"', { default: '30s' }),
    url: controlFlags.url,
    ...configFlag,
  },
  example: '--timeout 10s',
  calls: ['health'],

  async run(args) {
    const { url } = await addressOf(args)
    const deadline = performance.now() + (durationFrom(args, 'timeout') as number)
    const call = createCaller(url)
    for (;;) {
      const left = Math.max(1, Math.ceil(deadline - performance.now()))
      const serves = await call('health', {}, AbortSignal.timeout(left)).then(() => true, isNotServing)
      if (serves) return 0
      if (performance.now() + POLL_INTERVAL > deadline) throw failure(`${url} is not ready after ${args.timeout}`)
      await pause(POLL_INTERVAL)
    }
  },
}

function isNotServing(error: unknown): false {
  if (error instanceof UnreachableError || error instanceof AdminError) return false
  throw error
}

const STOP_POLL_INTERVAL = 50
/** `start` ends within three seconds of a signal. control-api: "CLI" */
const STOPS_WITHIN = 5000

/** `mockademy stop`: ends the process that has a store open, or that serves an address. control-api: "CLI" */
export const stopCommand: Command = {
  flags: {
    store: flag.text('Store file of the emulator', { defaultDescription: DEFAULT_STORE, conflicts: 'url' }),
    ...addressFlags,
    url: flag.text('Address of the emulator', {
      defaultDescription: 'MOCKADEMY_URL, else the store',
      group: emulatorGroup,
    }),
  },
  example: `--store ${DEFAULT_STORE}`,
  calls: ['world'],

  async run(args) {
    const store = await storeOf(args)
    const { owner, what } = store === undefined || store === 'memory' ? await processOf(args) : await ownerOf(store)
    const { pid, host } = owner
    if (!sharesPids(owner)) {
      const where = 'on another machine, in another container or from before a reboot'
      throw failure(`process ${pid} on ${host}, which ${what}, is ${where}, and was not signaled`)
    }
    // Another process may have its pid by now.
    const life = lifeOf(owner)
    if (life === 'gone' || !signalProcess(owner, 'SIGTERM')) {
      const why = life === 'runs' ? 'belongs to another user: stop it as that user' : 'is gone'
      throw failure(`process ${pid}, which ${what}, ${why}`)
    }
    const deadline = performance.now() + STOPS_WITHIN
    // A process that its parent has not reaped can still be signalled.
    while (signalProcess(owner, 0) && lifeOf(owner) !== 'gone') {
      if (performance.now() > deadline) throw failure(`process ${pid} does not end`)
      await pause(STOP_POLL_INTERVAL)
    }
    process.stdout.write(`stopped process ${pid}, which ${what}\n`)
    return 0
  },
}

/** Returns the store that is named, or the project's; undefined for an address without --store. A port of 0 is no address. */
async function storeOf({ store, url, ...args }: Arguments): Promise<string | undefined> {
  const { MOCKADEMY_URL, MOCKADEMY_PORT, MOCKADEMY_STORE } = process.env
  const isAddress = url || MOCKADEMY_URL || (MOCKADEMY_PORT && MOCKADEMY_PORT !== '0')
  if (store === undefined && isAddress) return undefined
  const config = await configFrom(args)
  return String(store ?? MOCKADEMY_STORE ?? config.settings.store ?? defaultStoreOf(config))
}

/** Returns the process of the emulator that flags or variables name, and what it did. @throws CommandFailure 1 when nothing names it. */
async function processOf(args: Arguments) {
  const { url, token } = await addressOf(args)
  const { store } = await createCaller(url, token)('world')
  const owner = processAt(url)
  if (owner) return { owner, what: `served ${url}` }
  if (store !== 'memory') return ownerOf(store)
  throw failure(`the emulator at ${url} runs in memory, so its process is unknown; stop it with Ctrl+C`)
}

/** Returns the process that has the store open. @throws CommandFailure 1 when none has. */
async function ownerOf(store: string) {
  const file = `${existsSync(store) ? realpathSync(store) : store}.lock`
  const owner = ownerIn(await readFile(file, 'utf8').catch(() => ''))
  if (owner) return { owner, what: `had ${store} open` }
  throw failure(`no emulator has the store ${store} open`)
}
