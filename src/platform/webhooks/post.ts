import { type LookupAddress, lookup } from 'node:dns'
import { readFileSync } from 'node:fs'
import { type ClientRequest, request as httpRequest, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Post } from '../../emulator/world/webhook-parts.js'
import type { World } from '../../emulator/world/world.js'
import { joinedFields } from '../../foundation/http/header-fields.js'
import { trustedAuthorities } from '../../foundation/tls/authority.js'
import { isNearby, isTrusted, plainHost, refusedTarget } from './targets.js'

const ONE_MEGABYTE = 1024 * 1024

/** No answer: `refused` when the target is one that is not called, so that no connection was opened. */
export class PostFailure extends Error {
  constructor(
    readonly kind: 'refused' | 'timeout' | 'aborted' | 'network',
    message: string,
    /** Real milliseconds. */
    readonly duration: number,
  ) {
    super(message)
    this.name = 'PostFailure'
  }
}

class RefusedTarget extends Error {}

export function createPost(world: () => World): Post {
  let authorities: string[] | undefined

  /** Every address that the name resolves to is judged before the connection takes one. */
  const judgingLookup: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const refused = error ? undefined : addresses.find(({ address }) => !isNearby(address))
      if (error) callback(error, '', 0)
      else if (refused && !isTrusted(hostname, world().settings)) {
        callback(new RefusedTarget(refusedTarget(hostname, refused.address)), '', 0)
      } else if (options.all) callback(null, addresses)
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 0)
    })
  }

  return ({ url, headers, body, timeout, signal, onSent }) => {
    const started = performance.now()
    const { settings } = world()
    const { protocol, hostname } = new URL(url)
    const host = plainHost(hostname)
    const since = () => Math.round(performance.now() - started)
    return new Promise((resolve, reject) => {
      let settled = false
      const end = (settle: () => void) => {
        if (settled) return
        settled = true
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        settle()
        sent?.destroy()
      }
      const fail = (kind: PostFailure['kind'], message: string) =>
        end(() => reject(new PostFailure(kind, message, since())))
      const abort = () => fail('aborted', 'the attempt was aborted')
      let late = () => fail('timeout', `no response within ${timeout} ms`)
      let broken = (error: Error) => fail(error instanceof RefusedTarget ? 'refused' : 'network', messageOf(error))
      let sent: ClientRequest | undefined
      const timer = setTimeout(() => late(), timeout)

      if (signal.aborted) return abort()
      signal.addEventListener('abort', abort)
      if (isIP(host) && !isNearby(host) && !isTrusted(host, settings)) return fail('refused', refusedTarget(host, host))

      const options: RequestOptions & { ca?: string[] } = {
        method: 'POST',
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
        agent: false,
        lookup: judgingLookup,
      }
      try {
        if (protocol === 'https:') options.ca = authorities ??= authoritiesOf(settings.webhook_ca)
        sent = (protocol === 'https:' ? httpsRequest : httpRequest)(url, options)
      } catch (error) {
        return fail('network', messageOf(error))
      }
      sent.on('error', (error) => broken(error))
      sent.on('finish', () => onSent?.())
      sent.on('response', (response) => {
        const answer = { status: response.statusCode ?? 0, headers: joinedFields(response.headers) }
        const chunks: Buffer[] = []
        let size = 0
        // The status is what counts, so an answer that drips on past the time, or without end, is cut where it is.
        const take = () =>
          end(() => {
            const read = Buffer.concat(chunks).subarray(0, ONE_MEGABYTE).toString()
            resolve({ ...answer, body: read, duration: since() })
          })
        late = take
        broken = take
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          size += chunk.length
          if (size >= ONE_MEGABYTE) take()
        })
        response.on('end', take)
        response.on('error', take)
        response.on('close', take)
      })
      sent.end(body)
    })
  }
}

/** Whom https webhooks trust: Node's own authorities, the local one that this tool makes, and those of the setting. */
const authoritiesOf = (webhookCa: string | undefined): string[] => [
  ...trustedAuthorities(),
  ...(webhookCa === undefined ? [] : [readFileSync(webhookCa, 'utf8')]),
]

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
