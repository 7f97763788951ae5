import { createCaller } from '../../../control/client/caller.js'
import { type Command, failure } from '../command/command.js'
import { addressOf, controlFlags } from '../flags/address.js'
import { openInBrowser } from '../processes/browser.js'

/** `mockademy open`: the console of a running emulator. console: Serving */
export const openCommand: Command = {
  flags: controlFlags,
  async run(args) {
    const { url, token } = await addressOf(args)
    await createCaller(url, token)('health')
    const address = `${url}/_console`
    process.stdout.write(`${args.json ? JSON.stringify({ console_url: address }) : address}\n`)
    if (!(await openInBrowser(address))) throw failure('no browser could be started; open the address yourself')
    return 0
  },
}
