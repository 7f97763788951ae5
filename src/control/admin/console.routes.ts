import type { Response } from '../../emulator/serving/response.js'
import { type Route, route } from '../../emulator/serving/surface.js'
import { consoleFiles } from './console-files.js'

/** Allows no other host, no inline script, and no code made of text. console: Serving */
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

/** Returns a file of the console, or for every other path the page, which decides by its `#` address. console: Serving */
function consoleResponse(path: string): Response {
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

/** Returns the relative path of `_console/` from a page at `path`: a proxy may put a prefix in front of it all. */
function relativeConsolePath(path: string): string {
  const depth = path.split('/').length - '/_console'.split('/').length
  return depth === 0 ? './_console' : `${'../'.repeat(depth)}_console`
}

const about = { summary: 'The console: a page in the browser', source: 'console: Serving', open: true }

/** Served without the admin token: the files hold no data. The surface checks the Host header. console: Serving */
export const consoleRoutes: Route[] = Object.entries({
  console: '/_console',
  consolePage: '/_console/',
  consoleFile: '/_console/*below',
}).map(([id, path]) => route('GET', path, { id, ...about }, (_world, request) => consoleResponse(request.path)))
