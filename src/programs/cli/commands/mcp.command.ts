import { once } from 'node:events'
import { addressOf, controlFlags } from '../parts/address.js'
import type { Command } from '../parts/command.js'
import { CommandFailure } from '../parts/command-failure.js'
import { configFlag } from '../parts/config.js'
import { stopSignal } from '../parts/stop-signal.js'

/** `mockademy mcp`: the control API as tools for a coding agent, over standard input and output. control-api: "CLI" */
export const mcpCommand: Command = {
  flags: { url: controlFlags.url, 'admin-token': controlFlags['admin-token'], ...configFlag },

  async run(args) {
    const { url, token } = await addressOf(args)
    const { serveTools } = await import('../../mcp/server.js')
    let server: ReturnType<typeof serveTools> | undefined
    const overflow = new Promise<'overflow'>((resolve) => {
      server = serveTools(url, token, () => resolve('overflow'))
    })
    const ended = await Promise.race([overflow, once(process.stdin, 'end'), once(process.stdin, 'close'), stopSignal()])
    await server?.close()
    if (ended !== 'overflow') return 0
    throw new CommandFailure(
      2,
      'mockademy: a message of more than 10 MB came over standard input; load so large a document with `mockademy state import`',
    )
  },
}
