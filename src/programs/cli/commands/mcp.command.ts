import type { ToolSet } from '../../mcp/server.js'
import { type Command, wrongUse } from '../command/command.js'
import { addressFlags, addressOf } from '../flags/address.js'
import { auditFileOf } from '../flags/audit-file.js'
import { untilStop } from '../processes/stop-signal.js'

/** `mockademy mcp`: tools for a coding agent, over standard input and output. control-api: "CLI" */
export const mcpCommand: Command = {
  flags: {
    ...addressFlags,
    tools: {
      choices: ['composed', 'all'] satisfies ToolSet[],
      default: 'composed',
      requiresArg: true,
      describe: 'A few composed tools, or one for each control call',
    },
  },

  async run(args) {
    const { url, token: adminToken } = await addressOf(args)
    const options = { url, adminToken, tools: args.tools as ToolSet, auditFile: () => auditFileOf(args) }
    const { serveTools } = await import('../../mcp/server.js')
    let server: ReturnType<typeof serveTools> | undefined
    const overflow = new Promise<'overflow'>((resolve) => {
      server = serveTools(options, () => resolve('overflow'))
    })
    const ended = await Promise.race([overflow, server?.ended, untilStop()])
    await server?.close()
    if (ended !== 'overflow') return 0
    throw wrongUse(
      'a message of more than 10 MB came over standard input; load so large a document with `mockademy state import`',
    )
  },
}
