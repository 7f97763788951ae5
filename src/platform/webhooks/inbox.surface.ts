import { redactedProblem } from '../../emulator/journal/redacted-problem.js'
import { type Route, route, type Surface } from '../../emulator/serving/surface.js'
import type { InboxEntry } from '../../emulator/world/webhook-parts.js'
import type { World } from '../../emulator/world/world.js'
import { joinedFields } from '../../foundation/http/header-fields.js'
import { refuseDeep } from '../../foundation/http/json-body.js'
import { jsonOrText } from '../../foundation/http/json-or-text.js'
import { MEGABYTE, refuseTooLarge } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import { isObject } from '../../foundation/schema/is-object.js'
import type { RecordOf } from '../../foundation/store/kind.js'
import { pauseOrAbort } from '../../foundation/time/real-timers.js'
import { headerNames, sign } from './sign.js'

const routes: Route[] = [
  route(
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    '/_inbox/:name',
    { id: 'receive', summary: 'A built-in receiver', source: 'control-api: Webhooks', open: true },
    async (world, request) => {
      refuseTooLarge(request)
      const { name } = request.params
      refuseDeep(request.body.toString())
      const { status, delay, headers } = world.inboxes.add(name, entryOf(world, request))
      if (delay > 0) await pauseOrAbort(delay, request.signal)
      return { status, headers }
    },
  ),
]

/** The built-in receivers that apps' webhooks may name. control-api: "Webhooks" */
export const inboxSurface: Surface = { name: 'inbox', routes, bodyLimit: () => 10 * MEGABYTE, refuse: redactedProblem }

function entryOf(world: Pick<World, 'clock' | 'settings' | 'store'>, request: Request): InboxEntry {
  const raw = request.body.toString()
  const body = jsonOrText(raw)
  const installation = world.store.installations.get(textField(body, 'installation_id') ?? '')
  const app = signerOf(world, request, installation)
  const organization = installation?.organization ?? null
  return {
    at: world.clock.timestamp(organization),
    event: textField(body, 'type') ?? null,
    headers: joinedFields(request.headers),
    body,
    raw,
    verified: app !== undefined,
    app: app?.id ?? null,
    organization,
  }
}

/** Returns the app whose signing secret made the signature: most often that of the installation that the body names. */
function signerOf(
  world: Pick<World, 'settings' | 'store'>,
  request: Request,
  installation: RecordOf<'installations'> | undefined,
): RecordOf<'apps'> | undefined {
  const signature = request.headers[headerNames(world.settings.header_prefix).signature.toLowerCase()]
  if (typeof signature !== 'string') return undefined
  const { apps } = world.store
  const signed = (app: RecordOf<'apps'> | undefined) =>
    app && sign(request.body, app.signing_secret) === signature ? app : undefined
  return signed(apps.get(installation?.app ?? '')) ?? [...apps.all].find(signed)
}

function textField(body: unknown, name: string): string | undefined {
  const value = isObject(body) ? body[name] : undefined
  return typeof value === 'string' ? value : undefined
}
