import { type CallToolResult, fromJsonSchema, type JsonSchemaValidator, McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { type CallName, callNames } from '../../control/admin/calls.js'
import { createCaller } from '../../control/client/caller.js'
import { AdminError, UnreachableError } from '../../control/client/errors.js'
import { version } from '../../emulator/world/version.js'
import type { Issue } from '../../foundation/schema/issue.js'
import { instructions } from './hints.js'
import { partsOf, toolOf } from './tools.js'

/** In bytes; the control API takes no more for most calls. */
const LONGEST_MESSAGE = 10 * 1024 * 1024

/**
 * Serves the control API of the emulator at `url` over standard input and output, as tools of the Model Context Protocol,
 * to clients of this and of earlier revisions. The emulator need not run yet: each call says when it does not.
 * @param onOverflow called when a message is longer than `LONGEST_MESSAGE`: nothing is read after it.
 */
export function serveTools(url: string, token: string | undefined, onOverflow: () => void): { close(): Promise<void> } {
  return serveStdio(() => createServer(url, token), {
    transport: new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: LONGEST_MESSAGE }),
    onerror: ({ message }) => {
      if (message.includes('maximum size')) onOverflow()
    },
  })
}

function createServer(url: string, token: string | undefined): McpServer {
  const server = new McpServer({ name: 'mockademy', version }, { instructions })
  const call = createCaller(url, token)
  for (const name of callNames) {
    const { description, inputSchema, annotations } = toolOf(name)
    const accepted = fromJsonSchema<Record<string, unknown>>(inputSchema, { getValidator: anything })
    server.registerTool(name, { description, inputSchema: accepted, annotations }, async (given, { mcpReq }) => {
      const read = partsOf(name, given ?? {})
      if ('issues' in read) return failed(`${name} was not called`, read.issues)
      try {
        return succeeded(await call(name, read.parts, mcpReq.signal))
      } catch (error) {
        return refused(name, error)
      }
    })
  }
  return server
}

/** Values are judged by the emulator, whose messages name field and fix; the schema is for whoever calls. */
const anything =
  <T>(): JsonSchemaValidator<T> =>
  (data) => ({ valid: true, data: data as T, errorMessage: undefined })

/** As the control API answers: a list stands under `data`. */
function succeeded(result: unknown): CallToolResult {
  const answer = Array.isArray(result) ? { data: result } : (result as Record<string, unknown>)
  return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer }
}

const failed = (message: string, issues: Issue[] = []): CallToolResult => ({
  content: [
    {
      type: 'text',
      text: [message, ...issues.map(({ path, message }) => `${path}${path && ': '}${message}`)].join('\n'),
    },
  ],
  isError: true,
})

/** @throws the error when it is this program's own. */
function refused(name: CallName, error: unknown): CallToolResult {
  if (error instanceof AdminError) {
    const { problem, message, status } = error
    return failed(`${name} was refused with status ${status}: ${message}`, problem.errors)
  }
  if (error instanceof UnreachableError) {
    return failed(
      `${error.message}\nStart one with "npx mockademy start", or name its address with --url or MOCKADEMY_URL.`,
    )
  }
  throw error
}
