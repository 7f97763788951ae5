import { createCaller } from '../../control/client/caller.js'
import { addressOf, controlFlags } from './address.js'
import { openInBrowser } from './browser.js'
import type { Command } from './command.js'
import { CommandFailure } from './command-failure.js'
import { configFlag } from './config.js'

/** `mockademy open`: the console of a running emulator. console: Serving */
export const openCommand: Command = {
  flags: { ...controlFlags, ...configFlag },
  async run(args) {
    const { url, token } = await addressOf(args)
    await createCaller(url, token)('health')
    const address = `${url}/_console`
    if (args.json) process.stdout.write(`${JSON.stringify({ console_url: address })}\n`)
    else process.stdout.write(`${address}\n`)
    if (!(await openInBrowser(address))) {
      throw new CommandFailure(1, 'mockademy: there is no browser to open it with; open the address yourself')
    }
    return 0
  },
}
