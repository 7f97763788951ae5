import { setTimeout as pause } from 'node:timers/promises'
import { createCaller } from '../../../control/client/caller.js'
import { AdminError, UnreachableError } from '../../../control/client/errors.js'
import { parseDuration } from '../../../foundation/schema/duration.js'
import { addressOf, controlFlags } from '../parts/address.js'
import { type Command, failure, textFlag, wrongUse } from '../parts/command.js'
import { configFlag } from '../parts/emulator-options.js'

const BETWEEN_LOOKS = 100

/** `mockademy wait`: ends when the emulator serves. control-api: "CLI" */
export const waitCommand: Command = {
  flags: {
    timeout: textFlag('Maximum time to wait: milliseconds, or "10s", "1m"', { default: '30s' }),
    url: controlFlags.url,
    ...configFlag,
  },
  example: '--timeout 10s',
  calls: ['health'],

  async run(args) {
    const { url } = await addressOf(args)
    const timeout = durationOf(String(args.timeout))
    const deadline = performance.now() + timeout
    const call = createCaller(url)
    for (;;) {
      const left = Math.max(1, Math.ceil(deadline - performance.now()))
      const serves = await call('health', {}, AbortSignal.timeout(left)).then(() => true, isNotServing)
      if (serves) return 0
      if (performance.now() + BETWEEN_LOOKS > deadline) throw failure(`${url} is not ready after ${args.timeout}`)
      await pause(BETWEEN_LOOKS)
    }
  },
}

function isNotServing(error: unknown): false {
  if (error instanceof UnreachableError || error instanceof AdminError) return false
  throw error
}

function durationOf(text: string): number {
  const milliseconds = /^\d+$/.test(text) ? Number(text) : parseDuration(text)
  if (!Number.isNaN(milliseconds)) return milliseconds
  throw wrongUse(`--timeout ${JSON.stringify(text)}: must be milliseconds, or a duration such as "30s"`)
}
