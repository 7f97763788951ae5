import { openInBrowser } from './browser.js'
import type { Command } from './command.js'
import { CommandFailure } from './command-failure.js'
import { controlCall, controlFlags, urlOf } from './control-call.js'

/** `mockademy open`: the console of a running emulator. console: Serving */
export const open: Command = {
  flags: controlFlags,
  async run(args) {
    const url = urlOf(args)
    await controlCall({ url, method: 'GET', path: '/healthz' })
    const address = `${url}/_console`
    if (args.json) process.stdout.write(`${JSON.stringify({ console_url: address })}\n`)
    else process.stdout.write(`${address}\n`)
    if (!(await openInBrowser(address))) {
      throw new CommandFailure(1, 'mockademy: there is no browser to open it with; open the address yourself')
    }
    return 0
  },
}
