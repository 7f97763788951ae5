import { Agent } from 'node:http'
import type { Socket } from 'node:net'
import { type OutgoingRequest, SendFailure, send } from '../../foundation/http-client/send.js'
import { UnreachableError } from './errors.js'

/** Sends requests to one emulator, by a path with its query. Rejects with an `UnreachableError` without a response. */
export type HttpClient = (
  request: Pick<OutgoingRequest, 'method' | 'headers' | 'signal'> & { path: string; body?: string },
) => Promise<{ status: number; text: string }>

/**
 * Returns a client that keeps its connections. A server with a certificate of the local authority is trusted.
 * @param onConnection called with each connection before a byte is sent over it.
 */
export function createHttpClient(url: string, onConnection?: (socket: Socket) => void): HttpClient {
  let connection: ReturnType<typeof connectionTo> | undefined
  return async ({ path, ...request }) => {
    try {
      connection ??= connectionTo(url).catch((error) => {
        connection = undefined
        throw error
      })
      const sending = { ...request, ...(await connection), url: url + path, onConnection }
      const { status, body, cut } = await sendAgain(sending)
      if (cut) throw new Error(cut.message)
      return { status, text: body.toString() }
    } catch (error) {
      throw new UnreachableError(url, reasonOf(error as SendFailure, url.startsWith('https:')), { cause: error })
    }
  }
}

function reasonOf({ code = '', message }: SendFailure, isHttps: boolean): string {
  if (isHttps && /^(EPROTO|ERR_SSL)/.test(code)) return 'it speaks http, not https'
  if (isHttps && /CERT|SIGNATURE/.test(code)) return `its certificate is not trusted (${message}): see mockademy ca`
  return `${message}. Is it running${code === 'ECONNRESET' && !isHttps ? ', or does it speak https' : ''}?`
}

/** Sends a request again, over another connection, if it met one that had ended. */
const sendAgain = (request: OutgoingRequest): ReturnType<typeof send> =>
  send(request).catch((error: unknown) => {
    if (error instanceof SendFailure && error.isStale) return sendAgain(request)
    throw error
  })

/** Loads what connections to `url` need: an agent, and for https the trusted authorities. */
async function connectionTo(url: string): Promise<Pick<OutgoingRequest, 'agent' | 'ca'>> {
  if (!url.startsWith('https:')) return { agent: new Agent({ keepAlive: true }) }
  const [https, { trustedAuthorities }] = await Promise.all([
    import('node:https'),
    import('../../foundation/tls/authority.js'),
  ])
  const authorities = trustedAuthorities()
  return { agent: new https.Agent({ keepAlive: true }), ca: () => authorities }
}
