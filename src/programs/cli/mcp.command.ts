import { once } from 'node:events'
import { addressOf, controlFlags } from './address.js'
import type { Command } from './command.js'
import { configFlag } from './config.js'
import { stopSignal } from './stop-signal.js'

/** `mockademy mcp`: the control API as tools for a coding agent, over standard input and output. control-api: "CLI" */
export const mcpCommand: Command = {
  flags: { url: controlFlags.url, 'admin-token': controlFlags['admin-token'], ...configFlag },

  async run(args) {
    const { url, token } = await addressOf(args)
    const { serveTools } = await import('../mcp/server.js')
    const server = serveTools(url, token)
    await Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close'), stopSignal()])
    await server.close()
    return 0
  },
}
