import { type Route, route } from '../../emulator/serving/route.js'
import { consoleReply } from './console-files.js'

const source = 'console: Serving'
const summary = 'The console: a page in the browser'

/** Open as far as the admin token goes: the files hold no data. The Host rule is the surface's. console: Serving */
export const consoleRoutes: Route[] = [
  route('GET', '/_console', { id: 'console', summary, source, open: true }, (_world, { path }) => consoleReply(path)),
  route('GET', '/_console/', { id: 'consolePage', summary, source, open: true }, (_world, { path }) =>
    consoleReply(path),
  ),
  route('GET', '/_console/*below', { id: 'consoleFile', summary, source, open: true }, (_world, { path }) =>
    consoleReply(path),
  ),
]
