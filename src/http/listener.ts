import type { IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'
import type { World } from '../world/world.js'
import { Refusal } from './refusal.js'
import type { Request } from './request.js'
import type { Response } from './response.js'
import type { Route } from './route.js'
import type { Surface } from './surface.js'

/** What a request's path led to: a route, a path that knows other methods, nothing, or a path that cannot be decoded. */
type Match =
  | { found: 'route'; route: Route; params: Record<string, string> }
  | { found: 'other methods'; allow: string[] }
  | { found: 'nothing' }
  | { found: 'undecodable' }
  | { found: 'an error'; error: unknown }

/**
 * Mounts the surfaces in order on an express app. This is the one place that reads bodies, turns a refusal into a
 * response, writes the journal and sends.
 * @param onInternalError told of an error that is not a refusal; it is answered as a 500 of its surface.
 */
export function createListener(world: World, surfaces: Surface[], onInternalError: (error: unknown) => void) {
  const app = express()
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing')

  const surfaceOf = (path: string): Surface => {
    const surface = surfaces.find((candidate) => candidate.owns(path))
    if (!surface) throw new Error(`No surface owns ${path}: the last one must own whatever the others do not`)
    return surface
  }

  const answer = async (surface: Surface, match: Match, req: IncomingMessage, res: ServerResponse) => {
    const started = world.clock.timestamp()
    const startedAt = performance.now()
    const request = await readRequest(req, res, surface, match, world.closing)
    if (!request) return
    const reply = typed(await replyTo(world, surface, match, request, onInternalError))
    const { method, path, search, headers, body } = request
    world.journal.record({
      at: started,
      surface: surface.name,
      method,
      path,
      search,
      status: reply.status,
      duration: performance.now() - startedAt,
      identity: surface.identify?.(world, request) ?? {},
      notes: reply.notes ?? {},
      request: { headers, body },
      response: { headers: reply.headers ?? {}, body: reply.body },
    })
    if (!res.destroyed) await send(reply, req, res, request)
  }

  for (const surface of surfaces) {
    for (const path of new Set(surface.routes.map((route) => route.path))) {
      const routes = surface.routes.filter((route) => route.path === path)
      const allow = [...new Set(routes.flatMap(({ methods }) => methods))]
      // Not `app.all`, which makes a layer for each of 35 methods.
      app.route(path).all((req, res) => {
        const method = req.method === 'HEAD' ? 'GET' : req.method
        const route = routes.find(({ methods }) => (methods as string[]).includes(method))
        const params = req.params as Record<string, string>
        return answer(surface, route ? { found: 'route', route, params } : { found: 'other methods', allow }, req, res)
      })
    }
  }
  app.use((req, res) => answer(surfaceOf(pathOf(req)), { found: 'nothing' }, req, res))
  const failed: express.ErrorRequestHandler = (error, req, res, _next) => {
    const match: Match = error?.status === 400 ? { found: 'undecodable' } : { found: 'an error', error }
    return answer(surfaceOf(pathOf(req)), match, req, res)
  }
  app.use(failed)
  return app
}

const pathOf = (req: IncomingMessage) => (req.url ?? '/').split('?', 1)[0] as string

/** Undefined when the client went away before its body was there. */
async function readRequest(
  req: IncomingMessage,
  res: ServerResponse,
  surface: Surface,
  match: Match,
  closing: AbortSignal,
): Promise<Request | undefined> {
  const gone = new AbortController()
  const leave = () => gone.abort()
  closing.addEventListener('abort', leave, { once: true })
  res.once('close', () => {
    closing.removeEventListener('abort', leave)
    gone.abort()
  })

  const path = pathOf(req)
  const limit = surface.bodyLimit(path)
  const chunks: Buffer[] = []
  let size = 0
  if (hasBody(req) && match.found === 'route') {
    try {
      for await (const chunk of req as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size <= limit) chunks.push(chunk)
        else chunks.length = 0
      }
    } catch {
      return undefined
    }
  }
  const url = req.url ?? '/'
  const question = url.indexOf('?')
  const search = question < 0 ? '' : url.slice(question + 1)
  return {
    method: req.method ?? 'GET',
    path,
    params: match.found === 'route' ? match.params : {},
    query: new URLSearchParams(search),
    search,
    headers: req.headers,
    body: size > limit ? Buffer.alloc(0) : chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks),
    bodyTooLarge: size > limit,
    client: req.socket.remoteAddress ?? '',
    signal: gone.signal,
  }
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** The reply to a request, refusals of every kind included. */
async function replyTo(
  world: World,
  surface: Surface,
  match: Match,
  request: Request,
  onInternalError: (error: unknown) => void,
): Promise<Response> {
  const refused = (error: unknown): Response => {
    const refusal = error instanceof Refusal ? error : internal(error, onInternalError)
    const reply = surface.refuse(refusal, request, world)
    const reason = refusal.reason ?? reply.notes?.reason ?? inWords(refusal)
    return { ...reply, headers: { ...reply.headers, ...refusal.headers }, notes: { ...reply.notes, reason } }
  }
  const work = async (): Promise<Response> => {
    try {
      return await handle(world, match, request)
    } catch (error) {
      return refused(error)
    }
  }
  try {
    const added = surface.admit?.(world, request)
    const route = match.found === 'route' ? match.route : undefined
    const scene = { world, surface, request, route }
    const reply = await (surface.intercept?.(scene, work) ?? work())
    return added ? { ...reply, headers: { ...added, ...reply.headers } } : reply
  } catch (error) {
    return refused(error)
  }
}

function handle(world: World, match: Match, request: Request): Response | Promise<Response> {
  switch (match.found) {
    case 'route':
      return match.route.handler(world, request)
    case 'other methods':
      throw new Refusal('method_not_allowed', { headers: { allow: match.allow.join(', ') } })
    case 'nothing':
      throw new Refusal('not_found', { reason: `There is no route ${request.path}` })
    case 'undecodable':
      throw new Refusal('invalid', { message: 'The path is not valid percent-encoding' })
    case 'an error':
      throw match.error
  }
}

const inWords = ({ message, details }: Refusal) =>
  details?.length
    ? `${message}: ${details.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')}`
    : message

function internal(error: unknown, onInternalError: (error: unknown) => void): Refusal {
  onInternalError(error)
  return new Refusal('internal', { reason: 'An error in the emulator itself; see its standard error' })
}

const isJson = (body: Response['body']): body is object => typeof body === 'object' && !Buffer.isBuffer(body)

/** The reply with its media type, as it goes out and into the journal. */
const typed = (reply: Response): Response =>
  isJson(reply.body)
    ? { ...reply, headers: { 'content-type': 'application/json; charset=utf-8', ...reply.headers } }
    : reply

async function send(reply: Response, req: IncomingMessage, res: ServerResponse, request: Request): Promise<void> {
  const { status, headers = {}, body, stream, broken } = reply
  if (broken === 'hang') return new Promise((resolve) => request.signal.addEventListener('abort', () => resolve()))
  if (broken === 'reset') return void req.socket.resetAndDestroy()
  if (broken === 'empty') return void req.socket.destroy()
  if (stream) {
    res.writeHead(status, headers)
    res.flushHeaders()
    await stream((chunk) => void res.write(chunk), request.signal)
    res.end()
    return
  }
  const bytes = isJson(body) ? JSON.stringify(body) : (body ?? '')
  res.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(bytes) })
  if (broken === 'truncate') {
    const half = Buffer.from(bytes).subarray(0, Math.floor(Buffer.byteLength(bytes) / 2))
    res.write(half, () => req.socket.destroy())
    return
  }
  res.end(req.method === 'HEAD' ? undefined : bytes)
}
