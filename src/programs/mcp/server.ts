import { Readable } from 'node:stream'
import { type CallToolResult, fromJsonSchema, type JsonSchemaValidator, McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { callNames } from '../../control/admin/call-table.js'
import { type ControlCaller, createCaller } from '../../control/client/caller.js'
import { AdminError, UnreachableError } from '../../control/client/errors.js'
import { version } from '../../emulator/world/version.js'
import type { Issue } from '../../foundation/schema/issue.js'
import { nextTurn, pause } from '../../foundation/time/real-timers.js'
import { bounded, truncated } from './bounded.js'
import { toolOf } from './call-tools.js'
import { type Tool, type ToolContext, ToolFailure } from './composed-tool.js'
import { readPage, readTitles } from './documentation.js'
import { summaryOfEntry } from './exchanges.js'
import { failureTools } from './failure.tools.js'
import { proofTools } from './proof.tools.js'
import { trialTools } from './trial.tools.js'
import { worldTools } from './world.tools.js'

/** Every composed tool, in the order in which agents see them. agents: "Coding agents" */
const composedTools = Object.entries({ ...failureTools, ...trialTools, ...proofTools, ...worldTools })

/** Bytes. The control API takes no more for most calls, and the official client closes the connection at a longer message. */
const MAX_MESSAGE = 10 * 1024 * 1024

/** Real milliseconds that a response may take once the input has ended. */
const LAST_RESPONSES = 10_000

/** Bytes; leaves room in a message for the envelope of JSON-RPC. */
const MAX_RESULT = MAX_MESSAGE - 10_000

const intro =
  'Mockademy emulates a course-delivery platform locally: the public API under /v0, OAuth 2.0 and OpenID Connect, and webhooks to an extension app under development. These tools control the emulator; the app itself talks to it over HTTP. Apps are named by manifest id or client id, users by id or email, organizations by slug.'

/** Sent to an agent when it connects, by the tools that it gets. */
const instructions = {
  composed: `${intro}

To find out what happened, call status and last_failure. To learn why, call explain with the number of an entry, the rule of a finding or the id of a check: it shows the wrong and the right code. To bring about a state (an expired token, a fault, a late webhook) and see how the app takes it, call try. To find mistakes that nothing has shown yet, and to prove a fix, call audit with the id of a check; sweep breaks each step of the app to see what does not heal, and coverage shows what it was never tried with. The developer may be working with the same world: reset removes what they made. call reaches every other control call.`,
  all: `${intro}

To find out why a request of the app was refused, call listRequests with limit 5 (surface "api", "oauth" or "webhook"): "reason" gives the full reason, "fault" names an injected fault, "warnings" lists what was ignored. Then call listFindings for mistakes that the app makes, listFaults for faults that are still set, and clock and listTokens for what has expired.
To find out whether a webhook arrived, call listDeliveries: it shows each attempt with its status, error and response. deliveriesSettled waits for attempts in flight.
To produce a state, use install, expireTokens, advanceClock, addFault or sendEvent. The developer may be working with the same world, so call snapshot before and restoreSnapshot after.`,
}

export type ToolSet = keyof typeof instructions

export interface ServerOptions extends Omit<ToolContext, 'name' | 'call' | 'undo' | 'signal'> {
  tools: ToolSet
}

/**
 * Serves the emulator over standard input and output, as tools and resources of the Model Context Protocol, to clients of
 * this and of earlier revisions. The emulator need not run yet: each call says when it does not.
 * @param onOverflow called when a message is longer than `MAX_MESSAGE`: nothing is read after it.
 * @returns `ended`, which resolves after the end of the input, when what was read has its responses; and `close`.
 */
export function serveTools(options: ServerOptions, onOverflow: () => void) {
  const work = createWork()
  const input = Readable.from(untilAnswered(() => requests.answered()))
  const transport = new StdioServerTransport(input, process.stdout, { maxBufferSize: MAX_MESSAGE })
  const server = serveStdio(async () => createServer(options, await readTitles(), work), {
    transport,
    onerror: ({ message }) => {
      if (message.includes('maximum size')) onOverflow()
    },
  })
  const requests = followRequests(transport)
  return {
    ended: new Promise((resolve) => input.once('close', resolve)),
    async close(): Promise<void> {
      await work.end()
      await server.close()
    },
  }
}

/** Yields standard input. The transport closes when it ends, so the end waits for the responses to piped requests. */
async function* untilAnswered(answered: () => Promise<void>): AsyncGenerator<Buffer> {
  yield* process.stdin
  // By then, the transport has read the last message.
  await nextTurn()
  await Promise.race([answered(), pause(LAST_RESPONSES, undefined, { ref: false })])
}

/** Follows the requests of a client. `answered` resolves when none is without a response. */
function followRequests(transport: StdioServerTransport) {
  const open = new Set<unknown>()
  let onIdle = () => {}
  const receive = transport.onmessage
  const send = transport.send.bind(transport)
  transport.onmessage = (message) => {
    if ('method' in message && 'id' in message) open.add(message.id)
    receive?.(message)
  }
  transport.send = async (message) => {
    await send(message)
    if (!('method' in message)) open.delete(message.id)
    if (open.size === 0) onIdle()
  }
  return {
    answered: () =>
      new Promise<void>((resolve) => {
        onIdle = resolve
        if (open.size === 0) resolve()
      }),
  }
}

/** The tools that run now. At the end they put back what they have changed: an audit and a sweep, the world. */
function createWork() {
  const ending = new AbortController()
  const running = new Set<Promise<unknown>>()
  return {
    /** Runs a tool with a signal that the agent aborts, and the end. */
    async run<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const result = work(AbortSignal.any([signal, ending.signal]))
      running.add(result)
      return result.finally(() => running.delete(result))
    },

    async end(): Promise<void> {
      ending.abort()
      await Promise.allSettled(running)
    },
  }
}

function createServer(
  { tools, ...options }: ServerOptions,
  pages: Page[],
  work: ReturnType<typeof createWork>,
): McpServer {
  const server = new McpServer({ name: 'mockademy', version }, { instructions: instructions[tools] })
  const call = createCaller(options.url, options.adminToken)
  const served = tools === 'all' ? callNames.map((name): [string, Tool] => [name, toolOf(name)]) : composedTools
  for (const [name, { inputSchema: schema, run, ...tool }] of served) {
    const inputSchema = fromJsonSchema<Record<string, unknown>>(schema, { getValidator: anything })
    const serve = async (given: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult> => {
      const bound: ToolContext['call'] = (name, parts) => call(name, parts, signal)
      const result = await run(given, { ...options, name, call: bound, undo: call, signal })
      const content: CallToolResult['content'] = [{ type: 'text', text: JSON.stringify(result) }]
      const toolResult = { content, ...(tools === 'all' && { structuredContent: { ...result } }) }
      const length = Buffer.byteLength(JSON.stringify(toolResult))
      if (length < MAX_RESULT) return toolResult
      const megabytes = Math.ceil(length / 1024 ** 2)
      throw new ToolFailure(`${name} returns ${megabytes} MB, too much for one message: ask for less, e.g. with limit`)
    }
    server.registerTool(name, { ...tool, inputSchema }, (given, { mcpReq }) =>
      work.run(mcpReq.signal, (signal) => serve(given ?? {}, signal)).catch((error: unknown) => refused(name, error)),
    )
  }
  registerResources(server, pages, call)
  return server
}

type Page = Awaited<ReturnType<typeof readTitles>>[number]

function registerResources(server: McpServer, pages: Page[], call: ControlCaller): void {
  const mimeType = 'text/markdown'
  for (const { name, title } of pages) {
    server.registerResource(`docs/${name}`, `mockademy://docs/${name}`, { title, mimeType }, async (uri) => ({
      contents: [{ uri: uri.href, mimeType, text: await readPage(name) }],
    }))
  }
  const journal = { title: 'The newest requests and webhooks', mimeType: 'application/json' }
  server.registerResource('journal', 'mockademy://journal', journal, async (uri, { mcpReq }) => {
    const entries = await call('listRequests', {}, mcpReq.signal)
    const text = JSON.stringify(bounded({ entries: entries.map(summaryOfEntry) }))
    return { contents: [{ uri: uri.href, mimeType: 'application/json', text }] }
  })
}

/** Accepts any value: the emulator checks it, with messages that name field and fix. The schema is for the agent. */
const anything =
  <T>(): JsonSchemaValidator<T> =>
  (data) => ({ valid: true, data: data as T, errorMessage: undefined })

function failed(message: string, issues: Issue[] = []): CallToolResult {
  const lines = issues.map(({ path, message }) => `${path}${path && ': '}${message}`)
  return { content: [{ type: 'text', text: truncated([message, ...lines].join('\n')) }], isError: true }
}

/** Presents an error of the call or its tool. @throws any other error */
function refused(name: string, error: unknown): CallToolResult {
  if (error instanceof ToolFailure) return failed(error.message, error.issues)
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
