/** DER, as ITU-T X.690 has it: each value is a tag, a length and contents, which may be values again. */

/** Returns a value in DER. Its contents are at most 65,535 bytes. */
export function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const size = contents.reduce((sum, { length }) => sum + length, 0)
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), ...contents])
}

/** Returns the values in a value, each with its tag and length. */
export function valuesIn(value: Buffer): Buffer[] {
  const values: Buffer[] = []
  for (let rest = contentsOf(value).contents; rest.length > 0; ) {
    const { size } = contentsOf(rest)
    values.push(rest.subarray(0, size))
    rest = rest.subarray(size)
  }
  return values
}

/** Returns the contents of the value at the beginning of some bytes, and the value's size. */
function contentsOf(bytes: Buffer): { contents: Buffer; size: number } {
  const first = bytes.readUInt8(1)
  // Above 127 it is how many bytes the length takes.
  const more = first > 127 ? first - 128 : 0
  const size = 2 + more + (more > 0 ? bytes.readUIntBE(2, more) : first)
  return { contents: bytes.subarray(2 + more, size), size }
}
