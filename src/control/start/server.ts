import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp, type MessageClasses } from '../../emulator/serving/app.js'
import type { World } from '../../emulator/world/world.js'
import { plainHost } from '../../foundation/http-client/targets.js'
import { StartError } from '../../foundation/store/start-error.js'
import { localAuthority } from '../../foundation/tls/authority.js'
import type { ServedWorld } from './create-world.js'
import { controlSurface, surfaces } from './surfaces.js'

/**
 * Serves a world at the host and port of its settings. Requests wait until `begin`, as its store may still be written.
 * @returns the address; `dispatch` for control calls of this process; and notes on the address.
 * @throws StartError when it cannot listen there.
 */
export async function serve(world: ServedWorld, onInternalError: (error: unknown) => void) {
  const app = createApp(world, surfaces, controlSurface, onInternalError, world.liberties.respondFreely)
  const waiting: (() => void)[] = []
  let hasBegun = false
  const server = await createServerFor(world, app.classes, (request, response) => {
    if (hasBegun) app.listener(request, response)
    else waiting.push(() => app.listener(request, response))
  })
  server.on('connection', app.onConnection)
  // A client that sends on a kept connection just as its time is over gets a reset: the clients end them, or `stop`.
  server.keepAliveTimeout = 0
  const { host, port, https } = world.settings
  const { address, port: actualPort } = await listen(server, port, host)
  const url = https ? `https://localhost:${actualPort}` : `http://127.0.0.1:${actualPort}`
  const isReached = [...reaching, ...(https ? ['::1'] : [])].includes(address)

  return {
    url,
    dispatch: app.dispatch,
    notes: isReached ? [] : [unreachable(url, host)],
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

/** The addresses of a server that answers at 127.0.0.1, which `base_url` names. wire: §1 */
const reaching = ['127.0.0.1', '0.0.0.0', '::']

const unreachable = (url: string, host: string) =>
  `The emulator does not answer at ${url}, the address that it gives to apps, because the host is ${host}. Use 127.0.0.1, or 0.0.0.0 or :: for every address.`

/** Creates a server of http, or of https with a certificate of the local authority; node-forge is loaded only then. */
async function createServerFor(
  { settings }: Pick<World, 'settings'>,
  classes: MessageClasses,
  listener: RequestListener,
): Promise<Server> {
  const { https, app_url, browser_url, trust_hosts } = settings
  if (!https) return createServer(classes, listener)
  const origins = [app_url, browser_url].filter((url) => url !== undefined)
  const hosts = [...origins.map((url) => plainHost(new URL(url).hostname)), ...trust_hosts]
  const [tls, { serverCertificate }, authority] = await Promise.all([
    import('node:https'),
    import('../../foundation/tls/certificates.js'),
    localAuthority(),
  ])
  return tls.createServer({ ...classes, ...(await serverCertificate(authority, hosts)) }, listener)
}

const withoutAddress = (_: number, host: string) =>
  `The host ${host} has no address. Use 127.0.0.1, or 0.0.0.0 for every address.`

/** Why a server cannot listen, by the code of the error. */
const unusable: Record<string, (port: number, host: string) => string> = {
  EADDRINUSE: (port) => `Port ${port} is in use. Choose another with --port, or --port 0 for any free one.`,
  EACCES: (port) => `Port ${port} needs the privileges of an administrator. Choose one from 1024 on with --port.`,
  EADDRNOTAVAIL: (_, host) => `${host} is no address of this machine. Use 127.0.0.1, or 0.0.0.0 for every address.`,
  ENOTFOUND: withoutAddress,
  EAI_AGAIN: withoutAddress,
}

/** Resolves with the address. @throws StartError when it is taken or the address is not this machine's. */
async function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  server.listen(port, plainHost(host))
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    // One that is made in the server's listener would not name the line of the caller that waits for it.
    const why = unusable[error.code ?? '']?.(port, host) ?? `Cannot listen on ${host}:${port}: ${error.message}`
    throw new StartError(1, why)
  })
  return server.address() as AddressInfo
}
