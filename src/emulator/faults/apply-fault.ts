import { Refusal } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import type { InjectedRefusal } from '../serving/injected-refusal.js'
import type { Response } from '../serving/response.js'
import type { RequestContext, Surface } from '../serving/surface.js'
import { isPlatformApi } from '../world/exchange.js'
import type { World } from '../world/world.js'
import { canChange, TOKEN_REQUEST } from './effects.js'
import type { FaultRecord } from './fault-record.js'
import { faultNotes, fireFault } from './faults.js'
import { applyHttpEffect, type HttpEffect, injectedRefusalResponse, isRead } from './http-effect.js'

const GONE = 'The world was reset, restored or replaced while the request waited for a fault, so nothing was done'

/**
 * The `aroundHandler` of surfaces whose requests may meet injected faults: `/v0` and OAuth. The handler of a fault's
 * request runs before the effect when its phase is `after`, or else when the effect leaves the real response.
 * control-api: "Faults"
 */
export async function withFaults(context: RequestContext, handler: (fault?: string) => Promise<Response>) {
  const fault = faultFor(context.world, context.surface, context.request)
  if (!fault) return handler()
  const { restores } = context.world.random
  const work = async () => {
    // Its effects would be in a world without the fault, such as that of the next test.
    if (context.world.random.restores !== restores && !isRead(context))
      throw new Refusal('unavailable', { reason: GONE })
    return handler(fault.id)
  }
  const done = fault.phase === 'after' ? await work() : undefined
  const response =
    typeof fault.effect === 'string'
      ? injectedRefusalResponse(fault.effect as InjectedRefusal, context)
      : await applyHttpEffect(fault.effect as HttpEffect, fault.id, context, done, work)
  // The response shows the fault of its id_token rather than this one, if it has both.
  return { ...response, notes: { ...faultNotes(fault), ...response.notes } }
}

function faultFor(world: World, surface: Surface, request: Request): FaultRecord | undefined {
  if (!isPlatformApi(surface.name) || world.store.faults.all.size === 0) return undefined
  const { method, path } = request
  const isToken = method === TOKEN_REQUEST.method && path === TOKEN_REQUEST.path
  const form = isToken ? new URLSearchParams(request.body.toString()) : undefined
  const { app, organization } = surface.identify?.(world, request) ?? {}
  const grant_type = form?.get('grant_type') ?? undefined
  const facts = { surface: surface.name, method, path, app, organization, grant_type }
  return fireFault(world, facts, (effect) => surface.name !== 'oauth' || canChange(effect, request))
}
