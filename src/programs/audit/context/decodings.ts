import { unescape as percentDecoded } from 'node:querystring'
import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { unlessThrows } from '../../../foundation/schema/unless-throws.js'

/** Encodings inside each other. */
const MAX_DEPTH = 3
const MAX_DECOMPRESSED_BYTES = 65_536
const unpackers = [inflateSync, gunzipSync, inflateRawSync]

/**
 * Returns a text and everything that it decodes to: percent-encoding, hex, base64, each possibly compressed, as in session
 * cookies of frameworks. Encrypted content cannot be read.
 */
export function decodingsOf(text: string, depth = MAX_DEPTH): string[] {
  if (depth === 0) return [text]
  const runs = text.match(/[\w+/-]{16,}/g) ?? []
  const decoded = percentDecoded(text)
  const inner = [...(decoded === text ? [] : [decoded]), ...runs.flatMap(bytesOf).flatMap(textsOf)]
  return [text, ...inner.flatMap((each) => decodingsOf(each, depth - 1))]
}

function bytesOf(run: string): Buffer[] {
  const isHex = /^([0-9a-f]{2})+$/i.test(run)
  return [Buffer.from(run, 'base64'), ...(isHex ? [Buffer.from(run, 'hex')] : [])]
}

/** Returns the bytes as text if they are UTF-8, and decompressed if possible. */
function textsOf(bytes: Buffer): string[] {
  const plain = bytes.toString()
  const limits = { maxOutputLength: MAX_DECOMPRESSED_BYTES }
  const unpacked = unpackers.flatMap((unpack) => unlessThrows(() => unpack(bytes, limits).toString()) ?? [])
  return [...(plain.includes('\ufffd') ? [] : [plain]), ...unpacked]
}
