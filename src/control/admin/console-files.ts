import { readdirSync, readFileSync } from 'node:fs'
import type { Response } from '../../emulator/serving/response.js'

/** No other host, no inline script, nothing that is made of text. console: Serving */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "img-src 'self' data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const common = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
}

const mediaTypes: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
}

interface Files {
  page: string
  /** By name; the names hold a hash of the contents. */
  assets: Map<string, Buffer>
}

/** What the build has put beside this bundle; undefined until the console is asked for. */
let files: Files | undefined

/** Read at the first request, never at start: most starts are not looked at. console: Serving, parts */
function consoleFiles(): Files {
  if (files) return files
  const folder = new URL('./console/', import.meta.url)
  const names = readdirSync(folder).filter((name) => name !== 'index.html')
  files = {
    page: readFileSync(new URL('index.html', folder), 'utf8'),
    assets: new Map(names.map((name) => [name, readFileSync(new URL(name, folder))])),
  }
  return files
}

/** A file of the console, or for every other path the page, which decides by its `#` address. console: Serving */
export function consoleReply(path: string): Response {
  const { page, assets } = consoleFiles()
  const name = path.slice(path.lastIndexOf('/') + 1)
  const asset = assets.get(name)
  if (asset) {
    const type = mediaTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
    const headers = { ...common, 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' }
    return { status: 200, headers, body: asset }
  }
  const headers = { ...common, 'content-type': mediaTypes.html ?? '', 'cache-control': 'no-cache' }
  return { status: 200, headers, body: page.replaceAll('{{console}}', relativeConsolePath(path)) }
}

/** Where `_console/` lies from a page at this path: relative, so that a proxy may put a prefix in front of it all. */
function relativeConsolePath(path: string): string {
  const depth = path.split('/').length - '/_console'.split('/').length
  return depth === 0 ? './_console' : `${'../'.repeat(depth)}_console`
}
