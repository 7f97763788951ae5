import { unescape as percentDecoded } from 'node:querystring'
import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'

/** Encodings inside of each other. */
const DEPTH = 3
/** Bytes of what is decompressed. */
const LARGEST = 65_536
const unpackers = [inflateSync, gunzipSync, inflateRawSync]

/**
 * Returns a text and all that it is an encoding of: percent-encoding, hexadecimal digits, base64, and any of them
 * compressed, as sessions are that frameworks keep in a cookie. Nothing that is encrypted can be read.
 */
export function readingsOf(text: string, depth = DEPTH): string[] {
  if (depth === 0) return [text]
  const runs = text.match(/[\w+/-]{16,}/g) ?? []
  const decoded = percentDecoded(text)
  const inner = [...(decoded === text ? [] : [decoded]), ...runs.flatMap(bytesOf).flatMap(textsOf)]
  return [text, ...inner.flatMap((each) => readingsOf(each, depth - 1))]
}

function bytesOf(run: string): Buffer[] {
  const isHex = /^([0-9a-f]{2})+$/i.test(run)
  return [Buffer.from(run, 'base64'), ...(isHex ? [Buffer.from(run, 'hex')] : [])]
}

/** The bytes as text where they are one, and decompressed where they can be. */
function textsOf(bytes: Buffer): string[] {
  const plain = bytes.toString()
  const unpacked = unpackers.flatMap((unpack) => {
    try {
      return [unpack(bytes, { maxOutputLength: LARGEST }).toString()]
    } catch {
      return []
    }
  })
  return [...(plain.includes('\ufffd') ? [] : [plain]), ...unpacked]
}
