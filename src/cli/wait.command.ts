import { setTimeout as pause } from 'node:timers/promises'
import { parseDuration } from '../schema/duration.js'
import type { Command } from './command.js'
import { CommandFailure } from './command-failure.js'
import { controlCall, controlFlags, urlOf } from './control-call.js'

const BETWEEN_LOOKS = 100

/** `mockademy wait`: ends when the emulator serves. control-api: "CLI" */
export const wait: Command = {
  flags: {
    url: controlFlags.url,
    timeout: { type: 'string', default: '30s', describe: 'How long to wait: milliseconds, or "10s", "1m"' },
  },

  async run(args) {
    const url = urlOf(args)
    const timeout = durationOf(String(args.timeout))
    const deadline = performance.now() + timeout
    for (;;) {
      const left = deadline - performance.now()
      if (await serves(url, Math.ceil(Math.max(left, 1)))) return 0
      if (performance.now() + BETWEEN_LOOKS > deadline) {
        throw new CommandFailure(1, `mockademy: ${url} does not serve after ${args.timeout}`)
      }
      await pause(BETWEEN_LOOKS)
    }
  },
}

const serves = (url: string, timeout: number) =>
  controlCall({ url, method: 'GET', path: '/healthz', timeout }).then(
    ({ status }) => status === 200,
    (error) => {
      if (error instanceof CommandFailure) return false
      throw error
    },
  )

function durationOf(text: string): number {
  const milliseconds = /^\d+$/.test(text) ? Number(text) : parseDuration(text)
  if (Number.isNaN(milliseconds)) {
    throw new CommandFailure(
      2,
      `mockademy: --timeout ${JSON.stringify(text)}: must be milliseconds, or a duration such as "30s"`,
    )
  }
  return milliseconds
}
