import type { McpServer } from '@modelcontextprotocol/server'
import { bounded } from './bounded.js'
import type { BoundCaller } from './composed-tool.js'
import { readPage } from './documentation.js'
import { lineOf } from './exchanges.js'

/** Registers the pages of the documentation and the journal as resources. @param bind returns a caller for one request. */
export function registerResources(
  server: McpServer,
  pages: { name: string; title: string }[],
  bind: (signal: AbortSignal) => BoundCaller,
): void {
  const mimeType = 'text/markdown'
  for (const { name, title } of pages) {
    server.registerResource(`docs/${name}`, `mockademy://docs/${name}`, { title, mimeType }, async (uri) => ({
      contents: [{ uri: uri.href, mimeType, text: await readPage(name) }],
    }))
  }
  const journal = { title: 'The newest requests and webhooks', mimeType: 'application/json' }
  server.registerResource('journal', 'mockademy://journal', journal, async (uri, { mcpReq }) => {
    const entries = await bind(mcpReq.signal)('listRequests')
    const text = JSON.stringify(bounded({ entries: entries.map(lineOf) }))
    return { contents: [{ uri: uri.href, mimeType: 'application/json', text }] }
  })
}
