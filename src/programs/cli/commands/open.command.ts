import { createCaller } from '../../../control/client/caller.js'
import { addressOf, controlFlags } from '../parts/address.js'
import { openInBrowser } from '../parts/browser.js'
import { type Command, failure } from '../parts/command.js'

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
