import { createCaller } from '../../../control/client/caller.js'
import type { Command } from '../command/command.js'
import { addressOf, controlFlags } from '../flags/address.js'
import { openConsole } from '../processes/browser.js'

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
