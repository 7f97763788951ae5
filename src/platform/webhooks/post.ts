import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Post } from '../../emulator/world/webhook-parts.js'
import type { World } from '../../emulator/world/world.js'
import { charsetOf } from '../../foundation/http/content-type.js'
import { joinedFields } from '../../foundation/http/header-fields.js'
import { MEGABYTE } from '../../foundation/http/refusal.js'
import { send } from '../../foundation/http-client/send.js'
import { trustedAuthorities } from '../../foundation/tls/authority.js'

/** Posts webhooks. The status is what counts, so a response that drips on past its time, or without end, is cut off. */
export function createPost(getWorld: () => World): Post {
  let authorities: string[] | undefined
  return async (request) => {
    const { settings } = getWorld()
    const response = await send({
      ...request,
      method: 'POST',
      limit: MEGABYTE,
      targets: settings,
      ca: () => (authorities ??= authoritiesOf(settings.webhook_ca)),
    })
    const { status, body: sent, cut, duration } = response
    const headers = joinedFields(response.headers)
    const body = decodeBody(sent, headers)
    const unread = cut?.kind === 'limit' ? Math.max(0, Number(headers['content-length'] ?? 0) - sent.length) : 0
    return { status, headers, body, length: (body ?? sent).length + unread, duration }
  }
}

/** Authorities that https webhooks are trusted by: Node's own, the local one that this tool makes, and `webhook_ca`. */
const authoritiesOf = (webhookCa: string | undefined): string[] => [
  ...trustedAuthorities(),
  ...(webhookCa === undefined ? [] : [readFileSync(webhookCa, 'utf8')]),
]

const decompress = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
])

/**
 * Returns a body decompressed by its `Content-Encoding`, and in UTF-8 by the charset of its `Content-Type`. One that
 * cannot be decoded is returned unchanged if it is UTF-8, else undefined.
 */
function decodeBody(body: Buffer, headers: Record<string, string>): Buffer | undefined {
  const coding = headers['content-encoding']?.toLowerCase() || 'identity'
  const charset = charsetOf(headers['content-type'] ?? '')
  try {
    // A small body may decompress to gigabytes.
    const bytes = coding === 'identity' ? body : decompress.get(coding)?.(body, { maxOutputLength: MEGABYTE })
    if (bytes) return charset ? Buffer.from(new TextDecoder(charset).decode(bytes)) : bytes
  } catch {
    // Incomplete, too large, or not in the coding or charset that it claims.
  }
  return isUtf8(body) ? body : undefined
}
