import type { IncomingHttpHeaders } from 'node:http'
import type * as z from 'zod'
import { invalid, Refusal } from './refusal.js'
import { explain, faultsOf } from './schema-faults.js'
import type { World } from './world.js'

/** A request as handlers see it. Its body is bytes until `jsonBody` or `formBody` judges them. */
export interface Request<P extends string = string> {
  method: string
  /** Without query, as sent. */
  path: string
  params: Record<P, string>
  query: URLSearchParams
  /** The query as sent, without the question mark: what must be echoed byte for byte is taken from here. */
  search: string
  headers: IncomingHttpHeaders
  body: Buffer
  /** The body was over its surface's limit; `body` is then empty. */
  bodyTooLarge: boolean
  /** The client's address. */
  client: string
  /** Aborts when the client goes away before the answer, or the emulator closes. */
  signal: AbortSignal
}

/** What a handler gives back; `src/http.ts` alone sends it. An object is sent as JSON, text and bytes as they are. */
export interface Reply {
  status: number
  headers?: Record<string, string | string[]>
  body?: object | string | Buffer
  /** Instead of `body`: server-sent events, taken as fast as the client reads them. */
  stream?: AsyncIterable<string>
  /** An injected fault's: how the connection breaks instead of, or within, this reply. */
  broken?: 'reset' | 'hang' | 'truncate' | 'empty' | undefined
  /** For the journal only. */
  notes?: Notes
}

export interface Warning {
  code: string
  path: string
  message: string
}

export interface Notes {
  /** Why the answer is a refusal, in more words than the wire may have. */
  reason?: string
  warnings?: Warning[]
  /** The id of the injected fault that befell the request. */
  fault?: string
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** What the OpenAPI documents say of a route, made of the schemas that validate. */
export interface Operation {
  /** Unique in its surface; the method's name in the typed client for control calls. */
  id: string
  summary: string
  /** Where it comes from: `spec: §4.4`, `wire: §3`, `control-api: Clock`. */
  source: string
  query?: z.ZodObject
  body?: z.ZodType
  answer?: z.ZodType
  /** Of success; 200 when left out. */
  status?: number
  /** The scope that an install token needs; null when none suffices (`/v0` only). */
  scope?: string | null
  /** True when no credential is asked for. */
  open?: boolean
}

type ParamsOf<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<Rest>
  : P extends `${string}:${infer Name}`
    ? Name
    : never

export type Handler<P extends string = string> = (world: World, request: Request<P>) => Reply | Promise<Reply>

export interface Route {
  methods: Method[]
  path: string
  operation: Operation
  handler: Handler
}

/** One route: `route('GET', '/v0/elements/:id', {…}, (world, request) => …)`; several methods are one list. */
export function route<const P extends string>(
  methods: Method | Method[],
  path: P,
  operation: Operation,
  handler: Handler<ParamsOf<P>>,
): Route {
  return { methods: [methods].flat(), path, operation, handler: handler as Handler }
}

/** Who a request is from, for the journal and for faults that match on it. */
export interface Identity {
  app?: string
  organization?: string
  user?: string
}

/** One of the faces of the emulator: its routes, and how it says no. */
export interface Surface {
  name: 'api' | 'oauth' | 'web' | 'admin' | 'inbox'
  /** Whether a path without a route is this surface's to refuse. */
  owns(path: string): boolean
  routes: Route[]
  /** In bytes. */
  bodyLimit(path: string): number
  /** Before anything else; what it returns is added to the headers of whatever is answered. @throws Refusal */
  admit?(world: World, request: Request): Record<string, string>
  refuse(refusal: Refusal, request: Request, world: World): Reply
  identify?(world: World, request: Request): Identity
}

const isJson = (contentType: string) => /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType.trim())

/**
 * The request's JSON value; undefined when no body was sent.
 * @throws Refusal 413, 415 or 400 `malformed`. wire: §2
 */
export function jsonBody(request: Pick<Request, 'body' | 'bodyTooLarge' | 'headers'>): unknown {
  if (request.bodyTooLarge) throw new Refusal('too_large')
  if (request.body.length === 0) return undefined
  const contentType = request.headers['content-type'] ?? ''
  if (!isJson(contentType)) {
    const reason = contentType ? `Content-Type is ${contentType}` : 'Content-Type is missing'
    throw new Refusal('unsupported_media_type', { reason })
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(request.body))
  } catch (error) {
    throw new Refusal('malformed', { reason: error instanceof Error ? withoutExcerpt(error.message) : undefined })
  }
}

/** A parser's message without the piece of the text that it quotes, which may be a secret. control-api: "Journal" */
const withoutExcerpt = (message: string) =>
  message.startsWith('"') ? undefined : message.replace(/, (?:\.\.\.)?"[\s\S]*$/, '')

/** `value` as the schema reads it. @throws Refusal `invalid` with a detail for each fault. */
export function parse<S extends z.ZodType>(schema: S, value: unknown, prefix: (string | number)[] = []): z.output<S> {
  const result = schema.safeParse(value, { error: explain })
  if (result.success) return result.data
  throw invalid(faultsOf(result.error, prefix))
}

/** The query as an object for a schema; a name that is given twice is a list. */
export const queryObject = (query: URLSearchParams): Record<string, string | string[]> =>
  Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const values = query.getAll(name)
      return [name, values.length > 1 ? values : (values[0] ?? '')]
    }),
  )
