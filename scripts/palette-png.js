import { crc32, deflateSync } from 'node:zlib'

/** Enough for text and tags on a page, and as many as half a byte can name. */
const COLORS = 16
/** Bits of each channel by which colors are counted together. */
const KEPT_BITS = 5

/**
 * A PNG of few colors: a screenshot of a page has few, and takes a third of the room.
 * @param {{ width: number, height: number, data: Uint8Array }} image RGBA, opaque
 * @returns {Buffer}
 */
export function palettePng({ width, height, data }) {
  const pixels = width * height
  const palette = paletteOf(data, pixels)
  const nearest = new Map()
  // Each row begins with its filter, which is none.
  const rowLength = 1 + Math.ceil(width / 2)
  const rows = Buffer.alloc(rowLength * height)
  for (let pixel = 0; pixel < pixels; pixel++) {
    const [red, green, blue] = data.subarray(pixel * 4, pixel * 4 + 3)
    const color = (red << 16) | (green << 8) | blue
    if (!nearest.has(color)) nearest.set(color, nearestOf(palette, red, green, blue))
    const column = pixel % width
    const at = Math.floor(pixel / width) * rowLength + 1 + (column >> 1)
    rows[at] |= nearest.get(color) << (column % 2 === 0 ? 4 : 0)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 4 bits, a palette.
  header.set([4, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The colors that occur most, one of each group that looks alike. */
function paletteOf(data, pixels) {
  const counts = new Map()
  for (let pixel = 0; pixel < pixels; pixel++) {
    const [red, green, blue] = data.subarray(pixel * 4, pixel * 4 + 3)
    const color = (red << 16) | (green << 8) | blue
    counts.set(color, (counts.get(color) ?? 0) + 1)
  }
  const shift = 8 - KEPT_BITS
  const groups = new Set()
  const chosen = []
  for (const [color] of [...counts].sort(([, one], [, other]) => other - one)) {
    const channels = [color >> 16, (color >> 8) & 255, color & 255]
    const group = channels.map((channel) => channel >> shift).join()
    if (groups.has(group)) continue
    groups.add(group)
    chosen.push(channels)
    if (chosen.length === COLORS) break
  }
  return chosen
}

function nearestOf(palette, red, green, blue) {
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (const [index, [r, g, b]] of palette.entries()) {
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2
    if (distance < least) [best, least] = [index, distance]
  }
  return best
}

function chunk(type, body) {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const framed = Buffer.alloc(typed.length + 8)
  framed.writeUInt32BE(body.length, 0)
  typed.copy(framed, 4)
  framed.writeUInt32BE(crc32(typed), typed.length + 4)
  return framed
}
