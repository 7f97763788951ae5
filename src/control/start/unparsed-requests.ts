import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** The first byte of a TLS record with a handshake. */
const HANDSHAKE = 0x16

type ParserError = Error & { code?: string; rawPacket?: Buffer }

/** Describes why a request could not be parsed; undefined for other errors of a connection. */
function describe({ code = '', message, rawPacket }: ParserError): string | undefined {
  if (code === 'ERR_SSL_HTTP_REQUEST') return 'it is http, and this port serves https: use https://'
  if (!code.startsWith('HPE_') || code === 'HPE_INVALID_EOF_STATE') return undefined
  if (rawPacket?.[0] === HANDSHAKE) return 'it is https, and this port serves http: use http://, or start with --https'
  if (code !== 'HPE_HEADER_OVERFLOW') return message
  return 'its URL or headers are over 16 KB. Browsers send the cookies of every port of a host: delete those of this host'
}

/** Reports requests that Node's parser refuses by itself, so that the journal has none of them. wire: §2 "two answers" */
export function reportUnparsedRequests(server: Server, report: (why: string) => void): void {
  const onError = (error: ParserError) => {
    const why = describe(error)
    if (why !== undefined) report(`a request could not be read: ${why}`)
  }
  // Not `clientError`: Node would leave the response to its listener.
  const watch = (socket: Duplex) => void socket.on('error', onError)
  server.on('connection', watch).on('secureConnection', watch).on('tlsClientError', onError)
}
