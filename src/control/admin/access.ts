import { admitHost, admitOrigin } from '../../emulator/serving/trusted-host.js'
import type { World } from '../../emulator/world/world.js'
import { invalid, Refusal } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { bearerOf } from '../../platform/authentication/bearer.js'
import { isSameSecret } from '../../platform/authentication/same-secret.js'

/**
 * Lets a control request pass, or refuses it: a page in the developer's browser must not reach the control API, nor
 * a foreign domain that is pointed at this address (DNS rebinding). control-api: "Who may call"
 * @throws Refusal 403; 401 without the admin token, where one is set.
 */
export function admitToAdmin(world: World, request: Request): Record<string, string> {
  admitHost(world, request)
  admitOrigin(world, request, 'The control API is not served to pages of')
  const { admin_token } = world.settings
  if (admin_token !== undefined && !isSameSecret(bearerOf(request.headers) ?? '', admin_token)) {
    throw new Refusal('unauthorized', {
      message: 'The control API needs Authorization: Bearer <admin_token>',
      headers: { 'www-authenticate': 'Bearer' },
    })
  }
  return {}
}

/**
 * Rejects a document that sets another admin token: who may call is decided where the emulator is started.
 * control-api: "Who may call"
 * @throws Refusal 400
 */
export function refuseOtherToken(world: World, document: unknown): void {
  const settings = isObject(document) && isObject(document.settings) ? document.settings : {}
  if (settings.admin_token === undefined || settings.admin_token === world.settings.admin_token) return
  const message = 'cannot be set by a call; start the emulator with --admin-token or MOCKADEMY_ADMIN_TOKEN'
  throw invalid([{ path: 'settings.admin_token', message }])
}
