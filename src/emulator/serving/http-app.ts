import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import express from 'express'
import { hasBody, readBody } from '../../foundation/http/body-reader.js'
import { IncomingRequest, originForm, splitTarget } from '../../foundation/http/incoming-request.js'
import type { Request } from '../../foundation/http/request.js'
import type { World } from '../world/world.js'
import { type Arrivals, createArrivals } from './arrivals.js'
import { fastMessageClasses } from './fast-messages.js'
import { hintOn } from './path-hints.js'
import { type CurrentLiberties, createResponder } from './respond.js'
import { type SerializedResponse, send } from './send.js'
import type { SurfaceMount } from './surface.js'
import { matchRoute, routesOf, type SurfaceRoutes } from './surface-routes.js'

/** The classes with which a server of node:http makes its requests and responses. */
export type MessageClasses = ReturnType<typeof fastMessageClasses>

/** A control call from this process, without a connection. */
interface DirectCall {
  method: string
  /** Path with its query. */
  path: string
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal
}

/** Responds to a control call from this process. */
export type Dispatch = (call: DirectCall) => Promise<Pick<SerializedResponse, 'status' | 'headers'> & { text: string }>

/** Node keeps the first of several `Host` headers, and a proxy perhaps the last. RFC 9112 §3.2 */
const repeatsHost = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.filter((text, index) => index % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host').length > 1

/** Surfaces by mount, loaded once for all emulators of the process; they hold no state of an emulator. */
const loaded = new Map<SurfaceMount, Promise<SurfaceRoutes>>()

/** Loads a surface, unless it has been loaded. */
export function loadSurface(mount: SurfaceMount): Promise<SurfaceRoutes> {
  const surface = loaded.get(mount) ?? mount.load().then(routesOf)
  loaded.set(mount, surface)
  return surface
}

interface HttpAppParts {
  /** Matched in order; the last one matches every path. */
  mounts: SurfaceMount[]
  /** The mount of the control API, for `dispatch`. */
  controlMount: SurfaceMount
  /** Receives errors that are not refusals; the response is a 500. */
  onInternalError: (error: unknown) => void
  liberties: CurrentLiberties
}

/**
 * Creates the express app of an emulator, and `dispatch` for control calls of its own process. The server calls
 * `onConnection` with each connection.
 */
export function createHttpApp(
  world: World,
  { mounts, controlMount, onInternalError, liberties }: HttpAppParts,
): { classes: MessageClasses; listener: RequestListener; dispatch: Dispatch; onConnection: Arrivals['onConnection'] } {
  const arrivals = createArrivals()
  const respond = createResponder(world, arrivals, onInternalError, liberties)
  const now = ({ identity }: SerializedResponse) => world.clock.now(identity.organization ?? null)
  const loadPlatform = () => Promise.all(mounts.filter((mount) => mount !== controlMount).map(loadSurface))
  const app = express()
  app.disable('x-powered-by').enable('case sensitive routing').enable('strict routing')
  for (const mount of mounts) {
    app.use(mount.at, async (message: express.Request, response: ServerResponse) => {
      const order = arrivals.onRequest(message.socket)
      const routes = await loadSurface(mount)
      // Express shortens `url` to what follows the mount's path.
      const request = new IncomingRequest(message, response, message.originalUrl, world.closing)
      const match = repeatsHost(message)
        ? { found: 'repeated host' as const }
        : matchRoute(routes, request.method, request.path)
      if (match.found === 'nothing') {
        const surfaces = mount === controlMount ? [routes] : await loadPlatform()
        match.hint = hintOn(request.method, request.path, surfaces)
      }
      const serialized = await respond(routes, match, {
        request,
        readBody: hasBody(message) ? (limit, timeout) => readBody(request, limit, timeout) : undefined,
        isOpen: () => !response.destroyed,
        port: message.socket.remotePort,
        order,
      })
      if (serialized && !response.destroyed)
        await send(serialized, request, response, order.connection.socket, now(serialized))
    })
  }
  // Express itself would respond with the stack trace. It tells a handler of errors by its four parameters.
  app.use((error: unknown, _message: express.Request, response: ServerResponse, _next: express.NextFunction) => {
    onInternalError(error)
    if (response.headersSent) response.destroy()
    else response.writeHead(500).end()
  })
  return {
    classes: fastMessageClasses(app),
    onConnection: arrivals.onConnection,
    listener(message, response) {
      message.url = originForm(message.url ?? '/')
      app(message, response)
    },
    async dispatch(call) {
      const routes = await loadSurface(controlMount)
      const request = directRequest(call, world.closing)
      const match = matchRoute(routes, request.method, request.path)
      const response = await respond(routes, match, { request, isOpen: () => true })
      const { status, headers, body = '' } = response as SerializedResponse
      return { status, headers, text: body.toString() }
    },
  }
}

function directRequest({ method, path, headers = {}, body = '', signal }: DirectCall, closing: AbortSignal): Request {
  const target = splitTarget(path)
  return {
    method,
    ...target,
    params: {},
    query: new URLSearchParams(target.search),
    headers,
    body: Buffer.from(body),
    exceededLimit: undefined,
    client: '127.0.0.1',
    signal: signal ?? closing,
  }
}
