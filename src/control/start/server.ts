import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { createHttpApp, type MessageClasses } from '../../emulator/serving/http-app.js'
import type { World } from '../../emulator/world/world.js'
import { normalizeHost } from '../../foundation/http-client/targets.js'
import { StartError } from '../../foundation/store/start-error.js'
import { localAuthority } from '../../foundation/tls/authority.js'
import type { ServedWorld } from './create-world.js'
import { controlSurface, surfaces } from './surfaces.js'

/**
 * Serves a world at the host and port of its settings. Requests wait until `begin`, as its store may still be written.
 * @returns the address; `dispatch` for control calls of this process; and notes on the address.
 * @throws StartError when it cannot listen there.
 */
export async function serve(
  world: ServedWorld,
  onInternalError: (error: unknown) => void,
  onUnparsedRequest?: (why: string) => void,
) {
  const { respondWithLiberties: liberties } = world.liberties
  const app = createHttpApp(world, { mounts: surfaces, controlMount: controlSurface, onInternalError, liberties })
  const waiting: (() => void)[] = []
  let hasBegun = false
  const server = await createServerFor(world, app.classes, (request, response) => {
    if (hasBegun) app.listener(request, response)
    else waiting.push(() => app.listener(request, response))
  })
  server.on('connection', app.onConnection)
  if (onUnparsedRequest) reportUnparsedRequests(server, onUnparsedRequest)
  // No timeout: a request sent just as it expires would be reset. Clients or `stop` close connections.
  server.keepAliveTimeout = 0
  const { host, port, https } = world.settings
  const { address, port: actualPort } = await listen(server, port, host)
  const url = https ? `https://localhost:${actualPort}` : `http://127.0.0.1:${actualPort}`
  const isReached = [...reachableHosts, ...(https ? ['::1'] : [])].includes(address)

  return {
    url,
    dispatch: app.dispatch,
    notes: isReached ? [] : [unreachableNote(url, host)],
    begin() {
      hasBegun = true
      for (const listener of waiting.splice(0)) listener()
    },
    /** Stops listening and cuts open connections. */
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Addresses that include 127.0.0.1, the host of `base_url`. wire: §1 */
const reachableHosts = ['127.0.0.1', '0.0.0.0', '::']

const unreachableNote = (url: string, host: string) =>
  `Apps cannot reach the emulator at ${url}, because it listens only on host ${host}. Use 127.0.0.1, or 0.0.0.0 or :: for every address.`

/** Creates a server of http, or of https with a certificate of the local authority; node-forge is loaded only then. */
async function createServerFor(
  { settings }: Pick<World, 'settings'>,
  classes: MessageClasses,
  listener: RequestListener,
): Promise<Server> {
  const { https, app_url, browser_url, trust_hosts } = settings
  if (!https) return createServer(classes, listener)
  const origins = [app_url, browser_url].filter((url) => url !== undefined)
  const hosts = [...origins.map((url) => normalizeHost(new URL(url).hostname)), ...trust_hosts]
  const [tls, { serverCertificate }, authority] = await Promise.all([
    import('node:https'),
    import('../../foundation/tls/certificates.js'),
    localAuthority(),
  ])
  return tls.createServer({ ...classes, ...(await serverCertificate(authority, hosts)) }, listener)
}

const withoutAddress = (_: number, host: string) =>
  `The host ${host} has no address. Use 127.0.0.1, or 0.0.0.0 for every address.`

const listenErrors: Record<string, (port: number, host: string) => string> = {
  EADDRINUSE: (port) => `Port ${port} is in use. Choose another with --port, or --port 0 for any free one.`,
  EACCES: (port) => `Port ${port} needs the privileges of an administrator. Choose one from 1024 on with --port.`,
  EADDRNOTAVAIL: (_, host) => `${host} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for every address.`,
  ENOTFOUND: withoutAddress,
  EAI_AGAIN: withoutAddress,
}

/** Resolves with the address. @throws StartError when it is taken or the address is not this machine's. */
async function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  server.listen(port, normalizeHost(host))
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    // One that is made in the server's listener would not name the line of the caller that waits for it.
    const why = listenErrors[error.code ?? '']?.(port, host) ?? `Cannot listen on ${host}:${port}: ${error.message}`
    throw new StartError(1, why)
  })
  return server.address() as AddressInfo
}

/** The first byte of a TLS record with a handshake. */
const HANDSHAKE = 0x16

type ParserError = Error & { code?: string; rawPacket?: Buffer }

/** Describes why a request could not be parsed; undefined for other errors of a connection. */
function describeParserError({ code = '', message, rawPacket }: ParserError): string | undefined {
  if (code === 'ERR_SSL_HTTP_REQUEST') return 'it is http, and this port serves https: use https://'
  if (!code.startsWith('HPE_') || code === 'HPE_INVALID_EOF_STATE') return undefined
  if (rawPacket?.[0] === HANDSHAKE) return 'it is https, and this port serves http: use http://, or start with --https'
  if (code !== 'HPE_HEADER_OVERFLOW') return message
  return 'its URL or headers are over 16 KB. Browsers send the cookies of every port of a host: delete those of this host'
}

/** Reports requests that Node's parser refuses by itself, so that the journal has none of them. wire: §2 "two answers" */
function reportUnparsedRequests(server: Server, report: (why: string) => void): void {
  const onError = (error: ParserError) => {
    const why = describeParserError(error)
    if (why !== undefined) report(`a request could not be read: ${why}`)
  }
  // Not `clientError`: Node would leave the response to its listener.
  const watch = (socket: Duplex) => void socket.on('error', onError)
  server.on('connection', watch).on('secureConnection', watch).on('tlsClientError', onError)
}
