import { gzipSync } from 'node:zlib'
import type { SerializedResponse } from '../serving/send.js'
import type { Liberty } from './liberty.js'

const capitals = (name: string) => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
const cases = [(name: string) => name, capitals, (name: string) => name.toUpperCase()]

async function* partsOf(body: string | Buffer): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body)
  const middle = Math.floor(bytes.length / 2)
  yield bytes.subarray(0, middle)
  yield bytes.subarray(middle)
}

/** Returns the body of a response that is sent whole. Responses that a fault has changed take no liberties. */
const wholeBody = ({ body, stream }: SerializedResponse): string | Buffer | undefined =>
  body !== undefined && body.length > 1 && !stream ? body : undefined

export const transportLiberties = {
  'header-case': {
    varies: 'the case of header names',
    open: ['RFC 9110 §5.1: names are case insensitive'],
    transport(response, turn) {
      const write = turn.stableChance(turn.context?.surface.name ?? '').of(cases)
      const headers = Object.entries(response.headers).map(([name, value]) => [write(name), value] as const)
      return headers.every(([name]) => Object.hasOwn(response.headers, name))
        ? response
        : { ...response, headers: Object.fromEntries(headers) }
    },
  },
  gzip: {
    varies: 'bodies are compressed if `Accept-Encoding` allows it',
    open: ['RFC 9110 §12.5.3: a client that accepts gzip may receive it'],
    transport(response, turn) {
      const accepted = String(turn.context?.request.headers['accept-encoding'] ?? '')
      const body = wholeBody(response)
      if (!/\bgzip\b(?!\s*;\s*q=0)/i.test(accepted) || !body || turn.ownChance.happens(0.5)) return response
      const headers = { ...response.headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' }
      return { ...response, headers, body: gzipSync(body) }
    },
  },
  chunked: {
    varies: 'bodies of successful responses are sent in chunks, without `Content-Length`',
    open: ['RFC 9112 §7.1: every recipient understands chunks'],
    transport(response, turn) {
      const body = wholeBody(response)
      if (response.status !== 200 || !body || turn.ownChance.happens(0.5)) return response
      return { ...response, stream: partsOf(body) }
    },
  },
} satisfies Record<string, Liberty>
