import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MessageClasses } from '../../emulator/serving/app.js'
import type { World } from '../../emulator/world/world.js'
import { plainHost } from '../../foundation/http-client/targets.js'
import { StartError } from '../../foundation/store/start-error.js'
import { localAuthority } from '../../foundation/tls/authority.js'

/** Creates a server of http, or of https with a certificate of the local authority; node-forge is loaded only then. */
export async function createServerFor(
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

/** Resolves with the port. @throws StartError when it is taken or the address is not this machine's. */
export const listen = (server: Server, port: number, host: string) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = unusable[error.code ?? '']?.(port, host) ?? `Cannot listen on ${host}:${port}: ${error.message}`
      reject(new StartError(1, why))
    })
    server.listen(port, plainHost(host), () => {
      server.removeAllListeners('error')
      resolve((server.address() as AddressInfo).port)
    })
  })
