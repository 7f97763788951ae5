import { serveTab } from './stream-reader.js'

/** For pages without shared workers, which read the stream by themselves. */
export { serveTab }

/**
 * One connection for all tabs of a browser, which opens only six to an origin: a stream for each tab would hang the
 * seventh tab, and the app's own sign-in page. console: Serving
 */
const scope = globalThis as unknown as { onconnect: (event: MessageEvent) => void }

scope.onconnect = ({ ports: [tab] }) => {
  if (tab) serveTab(tab)
}
