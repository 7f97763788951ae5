import { type CallToolResult, fromJsonSchema, type JsonSchemaValidator, McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { callNames } from '../../control/admin/call-table.js'
import type { CallName } from '../../control/admin/calls.js'
import { createCaller } from '../../control/client/caller.js'
import { AdminError, UnreachableError } from '../../control/client/errors.js'
import { version } from '../../emulator/world/version.js'
import type { Issue } from '../../foundation/schema/issue.js'
import { partsOf, toolOf } from './tools.js'

/** In bytes; the control API takes no more for most calls. */
const LONGEST_MESSAGE = 10 * 1024 * 1024

/** Sent to an agent when it connects. */
const instructions = `Mockademy emulates a course-delivery platform locally: the public API under /v0, OAuth 2.0 and OpenID Connect, and webhooks to an extension app under development. These tools control the emulator; the app itself talks to it over HTTP.

To find out why a request of the app was refused, call listRequests with limit 5 (surface "api", "oauth" or "webhook"): "reason" gives the full reason, "fault" names an injected fault, "warnings" lists what was ignored. Then call listFindings for mistakes that the app makes, listFaults for faults that are still set, and clock and listTokens for what has expired.
To find out whether a webhook arrived, call listDeliveries: it shows each attempt with its status, error and response. deliveriesSettled waits for attempts in flight.
To produce a state, use install, expireTokens, advanceClock, addFault or sendEvent. The developer may be working with the same world, so call snapshot before and restoreSnapshot after.
Apps are named by manifest id or client id, users by id or email, organizations by slug.`

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

/** Accepts any value: the emulator checks it, with messages that name field and fix. The schema is for the agent. */
const anything =
  <T>(): JsonSchemaValidator<T> =>
  (data) => ({ valid: true, data: data as T, errorMessage: undefined })

/** Presents a result as the control API does: a list is in `data`. */
function succeeded(result: unknown): CallToolResult {
  const response = Array.isArray(result) ? { data: result } : (result as Record<string, unknown>)
  return { content: [{ type: 'text', text: JSON.stringify(response) }], structuredContent: response }
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

/** Presents an error of the call. @throws any other error */
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
