import { isUtf8 } from 'node:buffer'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { charsetOf } from '../../foundation/http/content-type.js'

const decompress = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
])

/**
 * Returns a body decompressed by its `Content-Encoding`, and in UTF-8 by the charset of its `Content-Type`. One that
 * cannot be decoded is returned unchanged if it is UTF-8, else undefined.
 * @param limit of the decompressed body, in bytes: a small one may decompress to gigabytes.
 */
export function decodeBody(body: Buffer, headers: Record<string, string>, limit: number): Buffer | undefined {
  const coding = headers['content-encoding']?.toLowerCase() || 'identity'
  const charset = charsetOf(headers['content-type'] ?? '')
  try {
    const bytes = coding === 'identity' ? body : decompress.get(coding)?.(body, { maxOutputLength: limit })
    if (bytes) return charset ? Buffer.from(new TextDecoder(charset).decode(bytes)) : bytes
  } catch {
    // Incomplete, too large, or not in the coding or charset that it claims.
  }
  return isUtf8(body) ? body : undefined
}
