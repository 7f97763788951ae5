import { setTimeout as pause } from 'node:timers/promises'
import { createCaller } from '../../../control/client/caller.js'
import { AdminError, UnreachableError } from '../../../control/client/errors.js'
import { type Command, durationFrom, failure, flag } from '../command/command.js'
import { addressOf, controlFlags } from '../flags/address.js'
import { configFlag } from '../flags/emulator-options.js'

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
