import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http'
import type { Express, Request, Response } from 'express'

/**
 * Returns classes whose instances have the prototypes that express gives to requests and responses, so that it need not
 * change the prototype of each, which makes an object slow for the rest of its life: `read` is 2.0 instead of 0.9 times
 * bare express (docs/performance.md).
 */
export function fastMessageClasses(app: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request)
  Object.setPrototypeOf(AppResponse.prototype, app.response)
  app.request = AppRequest.prototype as unknown as Request
  app.response = AppResponse.prototype as unknown as Response
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse as typeof ServerResponse }
}
