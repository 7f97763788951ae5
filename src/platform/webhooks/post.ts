import { readFileSync } from 'node:fs'
import type { Post } from '../../emulator/world/webhook-parts.js'
import type { World } from '../../emulator/world/world.js'
import { joinedFields } from '../../foundation/http/header-fields.js'
import { send } from '../../foundation/http-client/send.js'
import { trustedAuthorities } from '../../foundation/tls/authority.js'

const ONE_MEGABYTE = 1024 * 1024

/** Posts webhooks. The status is what counts, so a response that drips on past its time, or without end, is cut off. */
export function createPost(getWorld: () => World): Post {
  let authorities: string[] | undefined
  return async (request) => {
    const { settings } = getWorld()
    const { status, headers, body, cut, duration } = await send({
      ...request,
      method: 'POST',
      limit: ONE_MEGABYTE,
      targets: settings,
      ca: () => (authorities ??= authoritiesOf(settings.webhook_ca)),
    })
    const announced = cut?.kind === 'limit' ? Number(headers['content-length'] ?? 0) : 0
    const length = Math.max(body.length, announced)
    return { status, headers: joinedFields(headers), body, length, duration }
  }
}

/** Authorities that https webhooks are trusted by: Node's own, the local one that this tool makes, and `webhook_ca`. */
const authoritiesOf = (webhookCa: string | undefined): string[] => [
  ...trustedAuthorities(),
  ...(webhookCa === undefined ? [] : [readFileSync(webhookCa, 'utf8')]),
]
